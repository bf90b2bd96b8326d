// What a person asks of the loop, on the console or by a button: in go lines of text, out come
// commands in a queue of fixed size, which the loop empties at each of its turns. Depends on Frames
// for lists alone.
