import Announcing
import CSystem
import Camera
import Console
import Counting
import Detection
import Engine
import Ledger
import Life
import Lights
import Loop
import Learning
import Voice

/// `receh run`: counts frames one after the other and says each new total.
struct Run: ~Copyable {
  private let model: TrainedModel
  private let source: RunSource
  private let options: RunOptions
  private let configuration: Configuration
  private let canBeTaught: Bool
  private var loop: CountingLoop

  /// Runs the command.
  ///
  /// - Parameter arguments: the words after `receh`, `run` first.
  /// - Throws: the status to end with, after telling why.
  static func run(_ arguments: Arguments) throws(ExitStatus) {
    guard let options = try RunOptions.parse(arguments) else { return }
    let configuration = try configure(options)
    if options.isCheck {
      try check(options, configuration)
      return
    }
    try run(options, configuration) { _ in }
  }

  /// Gives a lesson with the options of `receh run`.
  ///
  /// - Throws: the status to end with, after telling why; `failed` when nothing was learned.
  static func teach(_ teacher: Teacher, _ options: RunOptions) throws(ExitStatus) {
    var hasLearned = false
    try run(options, try configureToLearn(options)) { run throws(ExitStatus) in
      if !run.canBeTaught {
        complain(Teach.command) { line in
          line.write("the model does not tell how coins look; train one that has a 'likeness'")
        }
        throw .failed
      }
      run.loop.prepare(teacher)
    } finally: {
      hasLearned = $0.loop.hasLearned
    }
    if !hasLearned { throw .failed }
  }

  /// Calibrates the tray with the options of `receh run`.
  ///
  /// - Throws: the status to end with, after telling why; `failed` when it was not calibrated.
  static func calibrate(_ options: RunOptions) throws(ExitStatus) {
    var hasCalibrated = false
    try run(options, try configureToLearn(options)) { run in
      run.loop.prepareCalibration()
    } finally: {
      hasCalibrated = $0.loop.hasCalibrated
    }
    if !hasCalibrated { throw .failed }
  }

  /// Runs the loop, which lies here: its half megabyte is not to be in several frames.
  @inline(never)
  private static func run(
    _ options: RunOptions, _ configuration: Configuration,
    prepare: (inout Run) throws(ExitStatus) -> Void, finally: (borrowing Run) -> Void = { _ in }
  ) throws(ExitStatus) {
    csystem_hold_requests()
    var run = try Run(options, configuration)
    try prepare(&run)
    try run.run()
    finally(run)
  }

  /// Gets everything the loop needs before it begins.
  private init(_ options: RunOptions, _ configuration: Configuration) throws(ExitStatus) {
    // Before the source, so that the processes of both hold no camera.
    let voice = try Run.makeVoice(options, configuration)
    let lights = configuration.lights.hasLights ? Lights(configuration.lights) : nil
    let source = try RunSource(options, camera: configuration.camera)
    let model = try TrainedModel(
      ModelOrigin(option: options.model, configuration: configuration),
      command: RunOptions.command)
    var finder = try model.makeFinder()
    // A file that cannot be used is told of; what it holds goes without a name, and is unsure.
    try? finder.taught.read(
      configuration.taughtPath(), model: model.model.checksum, command: RunOptions.command)
    let till = try Run.makeTill(configuration)
    canBeTaught = finder.canBeTaught
    let checksum = model.model.checksum
    self.source = source
    self.model = model
    self.options = options
    self.configuration = configuration
    loop = CountingLoop(
      finder: finder,
      announcer: Run.makeAnnouncer(
        options, configuration, voice: voice, lights: lights, isLive: source.isLive),
      tally: Run.tally(configuration), clock: source.clock, supervisor: Supervisor(), till: till,
      classroom: Classroom(path: configuration.taughtPath(), model: checksum),
      tray: Run.makeTray(configuration))
  }

  private mutating func run() throws(ExitStatus) {
    let options = options
    let configuration = configuration
    let source = source
    let reload = { (announcer: inout Announcer) in
      Run.reload(options, before: configuration, source, &announcer)
    }
    let end =
      switch source.frames {
      case .recorded(let handover):
        loop.run(handover.pointee, limit: options.frames, reload: reload)
      case .live(let feed):
        loop.run(feed.pointee, limit: options.frames, reload: reload)
      }
    if case .live(let feed) = source.frames { Run.tell(of: feed.pointee) }
    if case .outputFailed(let code) = end {
      throw complainOfOutput(RunOptions.command, errno: code)
    }
    let isSaid = options.wav.map { tellOfFile($0) } ?? true
    if loop.unreadableFrames > 0 || !isSaid { throw .failed }
  }

  /// Tells how many of a camera's frames were left out.
  private static func tell(of feed: borrowing CameraFeed) {
    let (late, damaged) = (feed.lateFrames, feed.damagedFrames)
    if late + damaged == 0 { return }
    var line = Output(descriptor: 2)
    line.write(RunOptions.command)
    line.write(": camera: ")
    line.write(late)
    line.write(" late and ")
    line.write(damaged)
    line.write(" damaged frames were left out\n")
    line.flush()
  }

  /// Tells why the WAV file lacks what was to be said; returns `true` if nothing is missing.
  private func tellOfFile(_ wav: Argument) -> Bool {
    let (fault, code) = loop.voiceFault()
    guard let fault else { return true }
    complain(RunOptions.command) { line in
      line.write("--wav ")
      line.write(name: wav)
      if code != 0 {
        line.write(": cannot be written (")
        line.write(error: code)
        line.write("); check the folder and the free space")
      } else {
        line.write(": lacks what was to be said: ")
        line.write(fault.reason)
      }
    }
    return false
  }

  /// Reads the configuration; what the command line says goes before it.
  private static func configure(_ options: RunOptions) throws(ExitStatus) -> Configuration {
    var configuration = try Configuration.read(
      path: options.configuration, command: RunOptions.command)
    if let language = options.language { configuration.language = language }
    return configuration
  }

  /// The configuration for a lesson or a calibration, which is nothing to be kept in the ledger.
  private static func configureToLearn(
    _ options: RunOptions
  ) throws(ExitStatus) -> Configuration {
    var configuration = try configure(options)
    configuration.isLedgerOn = false
    configuration.till.mode = .tray
    return configuration
  }

  /// Checks what can be checked without opening a device, and tells that all is in order.
  private static func check(
    _ options: RunOptions, _ configuration: Configuration
  ) throws(ExitStatus) {
    let model = try TrainedModel(
      ModelOrigin(option: options.model, configuration: configuration),
      command: RunOptions.command)
    _ = try model.makeFinder()
    var output = Output(descriptor: 1)
    output.write(name: options.configuration ?? Configuration.usualPath.cString)
    let isThere = options.configuration != nil || access(Configuration.usualPath.cString, F_OK) == 0
    output.write(isThere ? ": in order\n" : ": there is none; the defaults are in order\n")
    try output.finish(RunOptions.command)
  }

  /// Puts the configuration into force as it is now; returns `nil`, changing nothing, after telling
  /// of a mistake in it.
  private static func reload(
    _ options: RunOptions, before: Configuration, _ source: RunSource,
    _ announcer: inout Announcer
  ) -> Tally.Settings? {
    guard let configuration = try? configure(options) else { return nil }
    if speaks(options, configuration) != announcer.hasVoice {
      guard let voice = try? makeVoice(options, configuration) else { return nil }
      announcer.replaceVoice(voice)
    }
    announcer.apply(
      announcing(options, configuration), voice: voiceSettings(configuration))
    announcer.apply(lights: configuration.lights, console: configuration.console)
    source.apply(configuration.camera)
    if configuration.model != before.model {
      complain(RunOptions.command) { $0.write("another model is used from the next start on") }
    }
    return tally(configuration)
  }

  /// Makes the till, and the ledger's thread where a ledger is kept.
  private static func makeTill(_ configuration: Configuration) throws(ExitStatus) -> Till {
    var settings = configuration.till
    settings.countsWithdrawn = configuration.countsWithdrawn
    if !configuration.isLedgerOn { return Till(settings, ledger: nil) }
    guard let memory = aligned_alloc(64, Ledger.memorySize) else {
      complain(RunOptions.command) { $0.write("no memory for the ledger; close other programs") }
      throw .failed
    }
    let ledger = Ledger(
      path: configuration.ledgerPath(), opensNow: settings.mode == .session, memory: memory)
    return Till(settings, ledger: ledger)
  }

  private static func tally(_ configuration: Configuration) -> Tally.Settings {
    Tally.Settings(
      stableMilliseconds: configuration.stableMilliseconds,
      countsWithdrawn: configuration.countsWithdrawn)
  }

  private static func speaks(_ options: RunOptions, _ configuration: Configuration) -> Bool {
    !options.isSilent && (configuration.isVoiceOn || options.wav != nil)
  }

  private static func voiceSettings(_ configuration: Configuration) -> VoiceSettings {
    VoiceSettings(
      language: configuration.language, volume: configuration.volume, rate: configuration.rate,
      pitch: configuration.pitch)
  }

  private static func makeVoice(
    _ options: RunOptions, _ configuration: Configuration
  ) throws(ExitStatus) -> Voice? {
    if !speaks(options, configuration) { return nil }
    var settings = voiceSettings(configuration)
    if let path = options.wav {
      settings.descriptor = csystem_create(path)
      if settings.descriptor < 0 {
        let code = csystem_errno()
        complain(RunOptions.command) { line in
          line.write("--wav ")
          line.write(name: path)
          line.write(": cannot be created (")
          line.write(error: code)
          line.write("); check the folder and who may write to it")
        }
        throw .failed
      }
    }
    return Voice(settings)
  }

  // Not inlined: what these two work with would lie in the frame of `init`, below the finder's own.
  @inline(never)
  private static func makeAnnouncer(
    _ options: RunOptions, _ configuration: Configuration, voice: consuming Voice?,
    lights: consuming Lights?, isLive: Bool
  ) -> Announcer {
    var settings = announcing(options, configuration)
    // Who has switched it on waits for it; recorded frames nobody waits for.
    settings.greets = isLive
    return Announcer(
      settings, voice: voice, lights: lights,
      console: configuration.console.use == .off
        ? nil : SerialConsole(configuration.console, language: configuration.language))
  }

  @inline(never)
  private static func makeTray(_ configuration: Configuration) -> TrayKeeper {
    TrayKeeper(
      Calibrate.read(configuration.calibrationPath(), command: RunOptions.command),
      path: configuration.calibrationPath())
  }

  private static func announcing(
    _ options: RunOptions, _ configuration: Configuration
  ) -> Announcer.Settings {
    var settings = Announcer.Settings()
    settings.isJSON = options.isJSON
    settings.language = configuration.language
    settings.strip = configuration.lights.strip
    settings.target = configuration.lights.lamps.target
    settings.saysChanges = configuration.saysChanges
    settings.journal = Journal()
    settings.drawsStrip =
      switch configuration.stripDrawing {
      case .auto: !options.isJSON && csystem_is_terminal(1)
      case .on: !options.isJSON
      case .off: false
      }
    return settings
  }
}
