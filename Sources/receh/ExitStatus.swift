/// How the command ended, and an error that has already been told of.
enum ExitStatus: Int32, Error {
  /// Everything asked for was done.
  case done = 0
  /// The work failed, at least in part.
  case failed = 1
  /// The command line, the configuration or the model is not what it must be.
  case usage = 2
}
