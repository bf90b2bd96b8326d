// What two threads, or two processes that share memory, pass to one another: in goes a message from
// one, out it comes at the other, and neither waits. Depends on nothing but atomic operations.
