import Announcing
import Commands
import Console
import Counting
import Lights

/// What the lights or the console have to tell of themselves.
public enum OutputNews: BitwiseCopyable, Sendable, Equatable {
  /// A part has stopped working.
  case fault(Degradation)
  /// It works again.
  case recovered(Degradation)
}

extension Announcer {
  /// Milliseconds for the console's last lines; with the voice's and the lights', less than a
  /// second and a half.
  private static let consolePatience: Int64 = 200

  /// Puts what has been typed on the console into a queue, and answers lines that are no commands.
  mutating func pollConsole(into commands: inout CommandQueue) {
    guard let mistake = console?.poll(into: &commands) else { return }
    switch mistake {
    case .unknown: answer(.unknown)
    case .tooLong: answer(.tooLong)
    }
  }

  /// Answers on the console.
  mutating func answer(_ answer: Answer) {
    guard let isJSON = console?.settings.isJSON else { return }
    var lines = AnswerLines()
    if isJSON {
      lines.append(json: answer)
    } else {
      lines.append(console: answer, in: settings.language)
    }
    console?.send(lines.span)
  }

  /// Sends an event to the console.
  mutating func sendToConsole(_ event: Event) {
    guard let isJSON = console?.settings.isJSON else { return }
    var line = EventLine()
    line.append(event, asJSON: isJSON, in: settings.language)
    console?.send(line.span)
  }

  /// Notes whether something has changed of which nothing has been said yet.
  mutating func note(isUnsettled: Bool) {
    state.isUnsettled = isUnsettled
    lights?.show(state)
  }

  /// What lights and console have to tell of themselves since the last call, one at a time.
  mutating func takeOutputNews() -> OutputNews? {
    switch lights?.takeNews() {
    case .fault(let fault):
      // The process that takes another's place tells of everything anew.
      if fault == .lightsEnded { forgetLights() }
      forgetOthers(than: fault)
      return .fault(fault)
    case .recovered(let fault): return .recovered(fault)
    case nil: break
    }
    switch console?.takeNews() {
    case .fault(let fault):
      forgetOthers(than: fault)
      return .fault(fault)
    case .recovered(let fault): return .recovered(fault)
    case nil: return nil
    }
  }

  /// Forgets the faults of a part but one: it has one reason at a time.
  private mutating func forgetOthers(than fault: Degradation) {
    for index in 0..<UInt8(FaultBook.capacity) {
      guard let other = Degradation(rawValue: index), other != fault else { continue }
      if other.isOfSamePart(as: fault) { faults.clear(other) }
    }
  }

  /// Forgets all faults of lights.
  private mutating func forgetLights() {
    for index in 0..<UInt8(FaultBook.capacity) {
      guard let other = Degradation(rawValue: index) else { continue }
      if other.isOfSamePart(as: .ledLost) || other.isOfSamePart(as: .stripLost)
        || other == .lightsEnded
      {
        faults.clear(other)
      }
    }
  }

  /// Takes other settings over; lights or a console that they change are started anew.
  public mutating func apply(lights wanted: LightsSettings, console wantedConsole: ConsoleSettings)
  {
    if lights?.settings != wanted && (lights != nil || wanted.hasLights) {
      lights?.finish()
      lights = wanted.hasLights ? Lights(wanted) : nil
      forgetLights()
      showState()
    }
    console?.language = settings.language
    if console?.settings != wantedConsole {
      console?.finish(milliseconds: Announcer.consolePatience)
      forgetOthers(than: .consoleLost)
      faults.clear(.consoleLost)
      console =
        wantedConsole.use == .off
        ? nil : SerialConsole(wantedConsole, language: settings.language)
      // It is to hear that the configuration is in force.
      console?.open()
    }
  }

  /// Sends the console's last lines and makes all lights dark.
  mutating func finishOutputs() {
    console?.finish(milliseconds: Announcer.consolePatience)
    lights?.finish()
  }
}
