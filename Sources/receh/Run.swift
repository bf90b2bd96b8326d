import Announcing
import CSystem
import Counting
import Detection
import Engine
import Lights
import Loop
import Voice

/// `receh run`: counts frames one after the other and says each new total.
struct Run: ~Copyable {
  private let model: TrainedModel
  private let source: RunSource
  private let limit: Int
  private var loop: CountingLoop

  /// Runs the command.
  ///
  /// - Parameter arguments: the words after `receh`, `run` first.
  /// - Throws: the status to end with, after telling why.
  static func run(_ arguments: Arguments) throws(ExitStatus) {
    guard let options = try RunOptions.parse(arguments) else { return }
    var configuration = try Configuration.read(
      path: options.configuration, command: RunOptions.command)
    if let language = options.language { configuration.language = language }
    var run = try Run(options, configuration)
    try run.run()
  }

  /// Gets everything the loop needs before it begins.
  private init(_ options: RunOptions, _ configuration: Configuration) throws(ExitStatus) {
    let source = try RunSource(options.source)
    let model = try TrainedModel(
      ModelOrigin(option: options.model, configuration: configuration),
      command: RunOptions.command)
    let finder = try model.makeFinder()
    let clock =
      if let rate = options.rate {
        FrameClock(numerator: rate, denominator: 1000, isPaced: true)
      } else {
        FrameClock(
          numerator: source.rate.numerator, denominator: source.rate.denominator, isPaced: false)
      }
    let voice = try Run.makeVoice(options, configuration)
    let announcer = Announcer(Run.announcing(options, configuration), voice: voice)
    self.source = source
    self.model = model
    limit = options.frames
    loop = CountingLoop(
      finder: finder, announcer: announcer,
      tally: Tally.Settings(
        stableMilliseconds: configuration.stableMilliseconds,
        countsWithdrawn: configuration.countsWithdrawn),
      clock: clock)
  }

  private mutating func run() throws(ExitStatus) {
    let end = loop.run(source.ring.pointee, limit: limit)
    if case .outputFailed(let code) = end {
      throw complainOfOutput(RunOptions.command, errno: code)
    }
    if loop.unreadableFrames > 0 { throw .failed }
  }

  private static func makeVoice(
    _ options: RunOptions, _ configuration: Configuration
  ) throws(ExitStatus) -> Voice? {
    if options.isSilent || !(configuration.isVoiceOn || options.wav != nil) { return nil }
    var settings = VoiceSettings(
      language: configuration.language, volume: configuration.volume, rate: configuration.rate,
      pitch: configuration.pitch)
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
    guard let memory = aligned_alloc(64, Voice.memorySize) else {
      complain(RunOptions.command) { $0.write("no memory for the voice; close other programs") }
      throw .failed
    }
    return Voice(settings, memory: memory)
  }

  private static func announcing(
    _ options: RunOptions, _ configuration: Configuration
  ) -> Announcer.Settings {
    var settings = Announcer.Settings()
    settings.isJSON = options.isJSON
    settings.language = configuration.language
    settings.strip = configuration.lights.strip
    settings.drawsStrip =
      switch configuration.stripDrawing {
      case .auto: !options.isJSON && csystem_is_terminal(1)
      case .on: !options.isJSON
      case .off: false
      }
    return settings
  }
}
