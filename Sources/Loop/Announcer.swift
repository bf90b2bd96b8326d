import Announcing
import CSystem
import Counting
import Lights
import Voice

/// Tells of events: on standard output as JSON or lines to read, aloud, and on a strip of lights.
public struct Announcer: ~Copyable {
  /// How events are told.
  public struct Settings: BitwiseCopyable, Sendable {
    /// Whether to print JSON rather than lines to read.
    public var isJSON = false
    /// The language of lines and speech.
    public var language = Language.indonesian
    /// Whether to draw the strip of lights in the terminal.
    public var drawsStrip = false
    /// Length, brightness and colours of the strip.
    public var strip = StripSettings()

    /// Makes the usual settings.
    public init() {}
  }

  private let settings: Settings
  private var voice: Voice?
  private var strip: StripImage
  private var total = Total()
  private var isHolding = false
  private var hasFault = false
  private var hasSpoken = false

  /// Milliseconds to wait at most for a reader of standard output that takes no more; a signal to
  /// stop ends the wait in any case.
  public var patience = Int64.max

  /// The `errno` of the write to standard output that failed, or 0; EINTR when it was given up.
  public private(set) var failure: Int32 = 0

  /// Makes an announcer that takes over a voice, or has none.
  public init(_ settings: Settings, voice: consuming Voice?) {
    self.settings = settings
    self.voice = voice
    strip = StripImage(
      length: settings.strip.length, brightness: settings.strip.brightness,
      palette: settings.strip.palette)
  }

  /// Tells of one event.
  public mutating func announce(_ event: Event) {
    var line = EventLine()
    if settings.isJSON {
      line.append(json: event)
    } else {
      line.append(console: event, in: settings.language)
    }
    write(line.span)
    switch event.kind {
    case .total(let total):
      self.total = total
      isHolding = false
      say(total)
      drawStrip()
    case .hold:
      isHolding = true
      drawStrip()
    case .degraded:
      hasFault = true
      drawStrip()
    case .ready: drawStrip()
    case .coinAdded, .coinRemoved, .stopped: break
    }
  }

  /// Notes that the scene can be judged again, where no new total came of it.
  public mutating func endHold() {
    if !isHolding { return }
    isHolding = false
    drawStrip()
  }

  /// The fault of the voice that has appeared since the last call, if any.
  public func takeFault() -> Degradation? {
    voice?.takeFault()
  }

  /// Ends the voice.
  /// - Parameter cutsOff: whether to stop at once instead of saying the last total first.
  public mutating func finish(cutsOff: Bool) {
    _ = voice?.finish(cutsOff: cutsOff)
  }

  private mutating func say(_ total: Total) {
    // A tray that is empty from the start is nothing to tell.
    if total.coins == 0 && !hasSpoken { return }
    hasSpoken = true
    var phrase = Phrase()
    phrase.append(spoken: total, in: settings.language)
    voice?.say(phrase)
  }

  private mutating func drawStrip() {
    if !settings.drawsStrip { return }
    strip.show(total, isHolding: isHolding, hasFault: hasFault)
    var line = StripLine()
    line.append(strip)
    write(line.span)
  }

  private mutating func write(_ bytes: Span<UInt8>) {
    var position = 0
    while failure == 0 && position < bytes.count {
      // A pipe that can be written to takes a whole line, so that the write below never waits.
      if !csystem_wait_writable_unless_stopped(1, patience) {
        failure = EINTR
        return
      }
      let written = bytes.withUnsafeBufferPointer { buffer in
        CSystem.write(1, buffer.baseAddress.map { $0 + position }, bytes.count - position)
      }
      if written > 0 {
        position += written
        continue
      }
      switch csystem_errno() {
      case EINTR, EAGAIN: break
      case let code: failure = written < 0 ? code : EIO
      }
    }
  }
}
