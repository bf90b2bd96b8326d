// The loop: in go frames from a source, out come events to the announcers. One thread, fixed
// memory: the embedded build compiles this module so that the compiler refuses any allocation.
// Depends on all the stages it joins, and knows nothing of where frames come from.
