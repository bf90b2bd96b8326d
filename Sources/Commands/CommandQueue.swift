import Frames

/// Requests waiting for the loop, oldest first.
public struct CommandQueue: ~Copyable {
  /// Most requests that wait at a time: far more than people give in the tenth of a second between
  /// two turns of the loop. Whoever finds the queue full keeps the rest until the next turn.
  public static let capacity = 16

  private var requests = FixedList<16, Request>(filler: Request(.help, from: .button))

  /// Makes an empty queue.
  public init() {}

  /// How many requests wait, 0 to `capacity`.
  public var count: Int { requests.count }

  /// Whether another `append` would be refused.
  public var isFull: Bool { requests.isFull }

  /// A request, the oldest at 0. Precondition: `0 <= index < count`.
  public subscript(index: Int) -> Request { requests[index] }

  /// Adds a request; returns `false`, changing nothing, when the queue is full.
  @discardableResult
  public mutating func append(_ request: Request) -> Bool {
    requests.append(request)
  }

  /// Empties the queue.
  public mutating func removeAll() {
    requests.removeAll()
  }
}
