import Announcing
import CSystem
import Counting
import Detection
import Engine
import Frames
import Pictures

/// `receh count`: counts the coins of still pictures, one after the other.
struct Count: ~Copyable {
  private let options: CountOptions
  private let configuration: Configuration
  private let model: TrainedModel
  private var finder: CoinFinder
  private var output = Output(descriptor: 1)

  /// Runs the command.
  ///
  /// - Parameter arguments: the words after `receh`, `count` first.
  /// - Throws: the status to end with, after telling why.
  static func run(_ arguments: Arguments) throws(ExitStatus) {
    guard let options = try CountOptions.parse(arguments) else { return }
    var count = try Count(options)
    try count.run()
  }

  private init(_ options: CountOptions) throws(ExitStatus) {
    let configuration = try Configuration.read(
      path: options.configuration, command: CountOptions.command)
    let model = try TrainedModel(
      ModelOrigin(option: options.model, configuration: configuration),
      command: CountOptions.command)
    finder = try model.makeFinder()
    try? finder.taught.read(
      configuration.taughtPath(), model: model.model.checksum, command: CountOptions.command)
    self.model = model
    self.configuration = configuration
    self.options = options
  }

  private mutating func run() throws(ExitStatus) {
    var hasFailed = false
    for index in 0..<options.images.count {
      let isCounted = count(options.images[index])
      if !isCounted { hasFailed = true }
      output.flush()
      if output.failure != 0 { break }
    }
    try output.finish(CountOptions.command)
    if hasFailed { throw .failed }
  }

  /// Counts one picture; returns `false` after telling why it could not.
  private mutating func count(_ file: Argument) -> Bool {
    var found = DetectionList(filler: .none)
    do throws(PictureError) {
      var picture = try Picture(contentsOf: file)
      let report = picture.withView { finder.find(in: $0, effort: .thorough, into: &found) }
      guard !report.isTruncated else {
        complainOfCrowd(file)
        return false
      }
      let count = PictureCount(
        found, reduction: picture.reduction, countsWithdrawn: configuration.countsWithdrawn)
      if options.isJSON {
        output.write(json: count, file: file)
      } else {
        output.write(table: count, file: file, in: configuration.language)
      }
      guard let annotation = options.annotation else { return true }
      picture.annotate(
        found, total: Int(count.total.total), unsure: Int(count.total.unsure),
        countsWithdrawn: configuration.countsWithdrawn)
      return write(picture, to: annotation)
    } catch {
      complain(CountOptions.command) { line in
        line.write(name: file)
        line.write(": ")
        line.write(error)
      }
      return false
    }
  }

  private func complainOfCrowd(_ file: Argument) {
    complain(CountOptions.command) { line in
      line.write(name: file)
      line.write(": shows more coins than the ")
      line.write(coinCapacity)
      line.write(" that are counted at a time; photograph them in smaller groups")
    }
  }

  /// Writes the annotated picture; returns `false` after telling why it could not.
  private func write(_ picture: borrowing Picture, to path: Argument) -> Bool {
    do throws(PictureError) {
      try picture.write(png: path)
      return true
    } catch {
      complain(CountOptions.command) { line in
        line.write("--annotate ")
        line.write(name: path)
        line.write(": ")
        line.write(error)
      }
      return false
    }
  }
}
