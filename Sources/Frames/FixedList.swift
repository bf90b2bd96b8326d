/// A list of at most `Capacity` elements stored in place: it never allocates.
///
/// Appending to a full list is refused, so that reaching a capacity is handled where it happens.
public struct FixedList<let Capacity: Int, Element: BitwiseCopyable>: ~Copyable {
  private var storage: FixedArray<Capacity, Element>

  /// How many elements the list holds, 0 to `Capacity`.
  public private(set) var count = 0

  /// Makes an empty list whose unused places hold `filler`.
  public init(filler: Element) {
    storage = FixedArray(repeating: filler)
  }

  /// Whether another `append` would be refused.
  public var isFull: Bool { count == Capacity }

  /// The elements, first to last.
  public var span: Span<Element> {
    @_lifetime(borrow self)
    borrowing get { storage.span.extracting(first: count) }
  }

  /// Accesses an element. Precondition: `0 <= index < count`.
  public subscript(index: Int) -> Element {
    _read {
      precondition(index < count)
      yield storage[index]
    }
    _modify {
      precondition(index < count)
      yield &storage[index]
    }
  }

  /// Appends `element`; returns `false`, changing nothing, when the list is full.
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    if isFull { return false }
    storage[count] = element
    count += 1
    return true
  }

  /// Removes the element at `index` by moving the last one into its place.
  ///
  /// Precondition: `0 <= index < count`.
  public mutating func swapRemove(at index: Int) {
    precondition(index < count)
    count -= 1
    storage[index] = storage[count]
  }

  /// Empties the list.
  public mutating func removeAll() {
    count = 0
  }
}
