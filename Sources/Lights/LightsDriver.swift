import Announcing
import Counting

/// The lights themselves: opens what they hang on, shows a state, and notes what does not work.
///
/// What cannot be opened or has been lost is tried again at every `refresh`.
struct LightsDriver: ~Copyable {
  private let settings: LightsSettings
  private var lamps = LampLines()
  private var port: StripPort?
  private var image: StripImage
  private var state = LightsState()

  /// What is wrong with the single lights, if anything: the first one's fault.
  private(set) var lampFault: Degradation?
  /// What is wrong with the strip, if anything.
  private(set) var stripFault: Degradation?

  /// Makes a driver that has opened nothing yet.
  init(_ settings: LightsSettings) {
    self.settings = settings
    let strip = settings.strip
    if strip.kind != .none { port = StripPort(strip) }
    image = StripImage(
      length: strip.length, brightness: LightsDriver.hasCurrent(strip) ? 100 : strip.brightness,
      palette: strip.palette)
  }

  /// Shows a state on everything that works.
  mutating func show(_ state: LightsState) {
    self.state = state
    writeLamps()
    writeStrip()
  }

  /// Opens what is missing, and shows the state again, so that lights come back after a loss of
  /// their power.
  /// - Parameter includesSlowStrip: whether a strip on GPIO lines that works is included.
  mutating func refresh(includesSlowStrip: Bool) {
    lampFault = nil
    for index in 0..<LampRole.count where !lamps.isOpen(index) {
      guard let address = LampRole.address(index, in: settings.lamps) else { continue }
      do throws(Degradation) {
        try lamps.open(index, address, isActiveLow: settings.lamps.isActiveLow)
      } catch {
        note(error)
      }
    }
    writeLamps()
    let wasOpen = port?.isOpen ?? true
    if !wasOpen {
      do throws(Degradation) {
        try port?.open()
        stripFault = nil
      } catch {
        stripFault = error
      }
    }
    if !wasOpen || includesSlowStrip || port?.isClockedByHand == false { writeStrip() }
  }

  /// Makes every light dark.
  mutating func darken() {
    state = LightsState()
    writeLamps()
    image.clear()
    sendImage()
  }

  private mutating func writeLamps() {
    for index in 0..<LampRole.count where lamps.isOpen(index) {
      do throws(Degradation) {
        try lamps.set(index, LampRole.isLit(index, state, settings.lamps))
      } catch {
        note(error)
      }
    }
  }

  /// Notes a lamp's fault, unless another's is noted already.
  private mutating func note(_ fault: Degradation) {
    if lampFault == nil { lampFault = fault }
  }

  private mutating func writeStrip() {
    image.show(state.total, isHolding: state.isHolding, hasFault: state.hasFault)
    sendImage()
  }

  private mutating func sendImage() {
    if port?.isOpen != true { return }
    var bytes = StripBytes()
    StripEncoding.append(
      image.span, kind: settings.strip.kind, order: settings.strip.order,
      current: LightsDriver.current(settings.strip), to: &bytes)
    do throws(Degradation) {
      try port?.send(bytes)
    } catch {
      stripFault = error
    }
  }

  /// Whether the kind of strip can be dimmed by its current, which keeps the colours' finer shades.
  private static func hasCurrent(_ strip: StripSettings) -> Bool {
    strip.kind == .apa102 || strip.kind == .sk9822
  }

  /// The current of each light in 31sts for a brightness in percent.
  static func current(_ strip: StripSettings) -> Int {
    max(1, (31 * strip.brightness + 50) / 100)
  }
}
