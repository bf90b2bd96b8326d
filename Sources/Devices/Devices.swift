// Devices as files: in go paths, bytes and control calls, out come what the device answers and
// typed errors. Every call goes through one point of CSystem where a test can stand in for the
// kernel. Depends on CSystem alone.
