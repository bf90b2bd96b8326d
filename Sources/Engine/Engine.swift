// Runs int8 networks from a model file, the same to the bit on every processor.
//
// In comes a model file in memory the caller owns (`Model` checks all of it) and a picture in a
// graph's input tensor; out come the graph's named output tensors. `Graph` plans its memory once,
// in blocks the caller gives, and running it allocates nothing and checks nothing. Every operator
// has a plain reference (`Reference*.swift`) and, for each instruction set, a vector form that
// must equal it bit for bit. The module depends on `CKernels`, the vector forms, alone.
