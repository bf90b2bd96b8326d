/// The language spoken and written.
public enum Language: UInt8, BitwiseCopyable, Sendable {
  /// Bahasa Indonesia.
  case indonesian
  /// English.
  case english

  /// The text of this language.
  public func choose(_ indonesian: StaticString, _ english: StaticString) -> StaticString {
    self == .indonesian ? indonesian : english
  }
}
