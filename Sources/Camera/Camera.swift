// The camera: in go V4L2 nodes, out come their newest frames as red, green, blue, and news of what
// has become of the camera. A thread of its own opens, watches and reopens it; the loop takes
// frames straight from the driver's buffers. Nothing is allocated on the loop's thread. Depends on
// CVideo (V4L2's structures), Devices (system calls, where tests stand in for the kernel),
// CMotionJPEG, CConversion (libv4l), Frames, Counting (the names of faults) and Loop (the frame
// slot it fills).
