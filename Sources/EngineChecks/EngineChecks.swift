// Holds every instruction set's kernels to the reference, over random operators: in goes a seed,
// out come counts of cases that agreed bit for bit and that did not. The cases are whole models,
// built in memory and loaded as any other, so that the loader, the planner and the packing are
// checked along with the kernels. Used by the tests and by `engine-check`, which runs on an emulated
// board. Depends on Engine alone and allocates freely: it is no part of the loop.
