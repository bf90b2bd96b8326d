/// `Count` elements stored in place, which are read and written where they lie.
///
/// An `InlineArray` is a value as large as all its elements, and the compiler takes an owner that
/// is no more than values apart and copies it whole, to the stack, for one element of it. This one
/// cannot be taken out of its place, and so neither can what owns it.
@_rawLayout(likeArrayOf: Element, count: Count)
public struct FixedArray<let Count: Int, Element: BitwiseCopyable>: ~Copyable {
  /// Makes an array of equal elements.
  public init(repeating element: Element) {
    mutableBase.initialize(repeating: element, count: Count)
  }

  /// How many elements there are.
  public var count: Int { Count }

  /// Accesses an element. Precondition: `0 <= index < count`.
  public subscript(index: Int) -> Element {
    unsafeAddress {
      precondition(index >= 0 && index < Count)
      return base + index
    }
    unsafeMutableAddress {
      precondition(index >= 0 && index < Count)
      return mutableBase + index
    }
  }

  /// The elements.
  public var span: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      _overrideLifetime(Span(_unsafeStart: base, count: Count), borrowing: self)
    }
  }

  private var base: UnsafePointer<Element> {
    withUnsafePointer(to: self) { UnsafeRawPointer($0).assumingMemoryBound(to: Element.self) }
  }

  private var mutableBase: UnsafeMutablePointer<Element> {
    mutating get {
      withUnsafeMutablePointer(to: &self) {
        UnsafeMutableRawPointer($0).assumingMemoryBound(to: Element.self)
      }
    }
  }
}
