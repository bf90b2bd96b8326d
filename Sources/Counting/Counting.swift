// Counts over time: in go the detections of each frame and its picture, out come events, such as a
// coin put down or a new total, once what is seen has settled. Time is the frames' own, so that a
// recording always gives the same events. Depends on Detection for what was found and on Frames.
