// What is told of events, and how: in go events and totals, out come lines of JSON or for people,
// phrases to be spoken and the colours of a strip of lights, all in memory of fixed size. Nothing
// is written or said here. Depends on Counting for events and on Frames for lists.
