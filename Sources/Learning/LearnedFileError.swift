/// Why a file of what was learned cannot be used.
public enum LearnedFileError: Error, BitwiseCopyable, Equatable {
  /// It cannot be opened, read or written, with this `errno`.
  case failed(errno: Int32)
  /// It is none, or its bytes have been changed.
  case damaged
  /// It was written by an earlier version, which looked at coins in another way.
  case earlierVersion
  /// It was written by a later version.
  case laterVersion
  /// Its coins were taught with another model, to which they look different.
  case otherModel
}
