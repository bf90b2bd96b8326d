import Announcing
import CSystem
import Console
import Counting
import Life
import Lights
import Voice

/// Tells of events: on standard output as JSON or lines to read, on the serial console, aloud, and
/// by lights.
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
    /// The total in rupiah at which a bar of lights is all lit, at least 1.
    public var target = 10_000
    /// Whether a change of the total is spoken before the total.
    public var saysChanges = false
    /// Whether it is said that counting can begin.
    public var greets = false
    /// Which of the standard streams go to the journal.
    public var journal = Journal.none

    /// Makes the usual settings.
    public init() {}
  }

  var settings: Settings
  private var voice: Voice?
  var lights: Lights?
  var console: SerialConsole?
  private var strip: StripImage
  /// What the lights show.
  var state = LightsState()
  /// The total told last.
  public private(set) var total = Total()
  private var hasTotal = false
  private(set) var isHolding = false
  var faults = FaultBook()
  private var hasSpoken = false
  private var isGreetingDue: Bool
  private var lastSpoken = Total()

  /// Whether totals are not spoken; what is said on demand is.
  public var isMuted = false

  /// Whether totals are spoken as such; not where something else is said in their place.
  public var saysTotals = true

  /// Milliseconds to wait at most for a reader of standard output that takes no more; a signal to
  /// stop ends the wait in any case.
  public var patience = Int64.max

  /// The `errno` of the write to standard output that failed, or 0; EINTR when it was given up.
  public private(set) var failure: Int32 = 0

  /// Makes an announcer that takes over a voice, lights and a console, or has none.
  public init(
    _ settings: Settings, voice: consuming Voice?, lights: consuming Lights? = nil,
    console: consuming SerialConsole? = nil
  ) {
    self.settings = settings
    self.voice = voice
    self.lights = lights
    self.console = console
    state.target = settings.target
    isGreetingDue = settings.greets
    strip = Announcer.strip(settings)
  }

  private static func strip(_ settings: Settings) -> StripImage {
    StripImage(
      length: settings.strip.length, brightness: settings.strip.brightness,
      palette: settings.strip.palette)
  }

  /// Changes how events are told, and how the voice sounds if there is one.
  public mutating func apply(_ settings: Settings, voice sound: VoiceSettings) {
    self.settings = settings
    voice?.apply(sound)
    strip = Announcer.strip(settings)
    state.target = settings.target
    showState()
  }

  /// Whether there is a voice, which may be silent at present.
  public var hasVoice: Bool { voice != nil }

  /// Takes over a voice, or `nil` for none; the one before is cut off.
  public mutating func replaceVoice(_ voice: consuming Voice?) {
    finish(cutsOff: true)
    self.voice = voice
  }

  /// Tells of one event. A fault that is in force already is counted instead, and its count told
  /// when it is over and at the end.
  public mutating func announce(_ event: Event) {
    let language = settings.language
    switch event.kind {
    case .total(let total):
      tell(event)
      self.total = total
      hasTotal = true
      isHolding = false
      if saysTotals { say(total) }
      showState()
    case .hold:
      tell(event)
      isHolding = true
      showState()
    case .degraded(let fault):
      if !faults.note(fault) { return }
      tell(event)
      if fault.keepsLedgerWaiting { sayUnsaved() }
      if fault == .cameraMoved || fault == .tooDark { say(fault) }
      showState()
    case .recovered(let fault):
      if faults.times(fault) == 0 { return }
      tellTimes(fault, event)
      faults.clear(fault)
      tell(event)
      showState()
    case .cameraLost(let fault):
      if !faults.note(fault) { return }
      tell(event)
      sayCamera(fault)
      showState()
    case .cameraBack:
      for index in 0..<FaultBook.capacity {
        guard let fault = Degradation(rawValue: UInt8(index)), fault.isCameraLoss else { continue }
        tellTimes(fault, event)
        faults.clear(fault)
      }
      tell(event)
      sayCamera(nil)
      showState()
    case .stopped:
      state.isCounting = false
      for index in 0..<FaultBook.capacity {
        if let fault = Degradation(rawValue: UInt8(index)) { tellTimes(fault, event) }
      }
      tell(event)
    case .ready:
      state.isCounting = true
      tell(event)
      showState()
    case .saved(let saved):
      tell(event) { $0.append(spoken: saved, in: language) }
    case .target(let target):
      tell(event) { $0.append(spoken: target, in: language) }
    case .lesson(let lesson):
      tell(event) { $0.append(spoken: lesson, in: language) }
    case .calibration(let step):
      tell(event) { $0.append(spoken: step, in: language) }
    case .mode(let mode):
      tell(event) { $0.append(spoken: mode, in: language) }
    case .coinAdded, .coinRemoved, .repeated, .reloaded, .batch: tell(event)
    }
  }

  /// Tells how often a fault has come, if more than once.
  private mutating func tellTimes(_ fault: Degradation, _ event: Event) {
    let times = faults.times(fault)
    if times < 2 { return }
    tell(
      Event(
        .repeated(fault, times: times), frame: event.frame, milliseconds: event.milliseconds))
  }

  /// Tells of an event in writing, and says what `write` writes.
  private mutating func tell(_ event: Event, speaking write: (inout Phrase) -> Void) {
    tell(event)
    var phrase = Phrase()
    write(&phrase)
    say(phrase)
  }

  /// Writes an event to standard output and, under a service manager, to its journal.
  private mutating func tell(_ event: Event) {
    var line = EventLine()
    line.append(event, asJSON: settings.isJSON, in: settings.language)
    // The journal has the same words with their priority, so that they come once.
    let isInJournal = settings.journal.takesOutput && settings.journal.takesErrors
    if settings.isJSON || !isInJournal { write(line.span) }
    sendToConsole(event)
    if settings.journal.takesErrors { log(event) }
  }

  /// Writes an event to the journal, in English; one that cannot take it at once goes without.
  private func log(_ event: Event) {
    var line = EventLine()
    line.append(LogPriority(event))
    line.append(console: event, in: .english)
    var position = 0
    while position < line.count {
      if !csystem_wait_writable_unless_stopped(2, 50) { return }
      let written = line.span.withUnsafeBufferPointer { buffer in
        CSystem.write(2, buffer.baseAddress.map { $0 + position }, buffer.count - position)
      }
      if written <= 0 { return }
      position += written
    }
  }

  /// Notes that the scene can be judged again, where no new total came of it.
  public mutating func endHold() {
    if !isHolding { return }
    isHolding = false
    showState()
  }

  /// What the voice has to tell of itself since the last call, one at a time.
  public mutating func takeNews() -> VoiceNews? {
    let news = voice?.takeNews()
    switch news {
    case .fault(let fault):
      // One silence has one reason at a time.
      if let before = voiceFault, before != fault { faults.clear(before) }
      voiceFault = fault
    case .recovered: voiceFault = nil
    case nil: break
    }
    return news
  }

  /// The fault that keeps the voice silent, as far as `takeNews` has told.
  public private(set) var voiceFault: Degradation?

  /// The `errno` with which writing the voice's WAV file failed, or 0.
  public func voiceFileFailure() -> Int32 {
    let code = voice?.fileFailure()
    return code ?? 0
  }

  /// Ends the voice.
  /// - Parameter cutsOff: whether to stop at once instead of saying the last total first.
  public mutating func finish(cutsOff: Bool) {
    _ = voice?.finish(cutsOff: cutsOff)
  }

  /// Says the last total once more, or that there is none yet.
  public mutating func repeatTotal() {
    var phrase = Phrase()
    if hasTotal {
      phrase.append(spoken: total, in: settings.language)
    } else {
      phrase.append(settings.language.choose("belum ada hitungan", "nothing has been counted yet"))
    }
    voice?.say(phrase)
  }

  /// Forgets what lay on the tray, which is counted anew.
  public mutating func forgetTotal() {
    total = Total()
    hasTotal = false
    hasSpoken = false
    lastSpoken = Total()
    isHolding = false
    showState()
  }

  /// Says that counting can begin, the first time this is called; not where anything that was said
  /// before has told that it runs.
  public mutating func greet() {
    if !isGreetingDue { return }
    isGreetingDue = false
    if hasSpoken || isMuted { return }
    var phrase = Phrase()
    phrase.append(spokenReadinessIn: settings.language)
    // An empty tray stays nothing to tell.
    voice?.say(phrase)
  }

  /// Says that the camera is lost for some reason, or back.
  private mutating func sayCamera(_ why: Degradation?) {
    isGreetingDue = false
    var phrase = Phrase()
    phrase.append(spokenCamera: why, in: settings.language)
    if !isMuted { voice?.say(phrase) }
  }

  private mutating func say(_ phrase: Phrase) {
    hasSpoken = true
    if !isMuted { voice?.say(phrase) }
  }

  /// Says what is wrong and how to help.
  private mutating func say(_ fault: Degradation) {
    var phrase = Phrase()
    phrase.append(settings.language.choose(fault.indonesianReason, fault.reason))
    say(phrase)
  }

  /// Says that what was counted is not on the disk yet.
  private mutating func sayUnsaved() {
    var phrase = Phrase()
    phrase.append(
      settings.language.choose("catatan belum dapat disimpan", "the ledger cannot be saved yet"))
    say(phrase)
  }

  private mutating func say(_ total: Total) {
    // A tray that is empty from the start is nothing to tell.
    if total.coins == 0 && !hasSpoken { return }
    var phrase = Phrase()
    if settings.saysChanges && hasSpoken {
      phrase.append(spoken: total, after: lastSpoken, in: settings.language)
    } else {
      phrase.append(spoken: total, in: settings.language)
    }
    hasSpoken = true
    lastSpoken = total
    if !isMuted { voice?.say(phrase) }
  }

  /// Brings all lights up to date.
  mutating func showState() {
    state.total = total
    state.isHolding = isHolding
    state.hasFault = faults.hasFault
    lights?.show(state)
    if !settings.drawsStrip { return }
    strip.show(total, isHolding: isHolding, hasFault: faults.hasFault)
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

extension LogPriority {
  /// How much an event matters in the log.
  init(_ event: Event) {
    switch event.kind {
    case .degraded, .repeated, .cameraLost: self = .warning
    case .ready, .recovered, .cameraBack, .reloaded, .stopped, .mode, .saved, .lesson,
      .calibration:
      self = .notice
    case .total, .hold, .batch, .target: self = .information
    case .coinAdded, .coinRemoved: self = .debug
    }
  }
}
