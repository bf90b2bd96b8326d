// What is learned on the board: in go the coins of each frame, out come the steps of a lesson or of
// a calibration and, at its end, a kind of coin or the tray's scale, light and ground, kept in
// small files. No network is trained. Depends on Detection for coins, on Counting for events, on
// Engine for checksums and on CSystem for files.
