import Announcing
import CSystem
import Camera
import Frames
import Loop
import Pictures

/// Where frames come from: a camera, or recorded frames, read on a thread of their own.
///
/// What the thread works on is kept until the process ends, because the thread may outlive the
/// loop.
struct RunSource {
  /// Most pixels of a picture; larger ones are made smaller while they are decoded.
  private static let pictureLimit = 1920 * 1080

  /// The kinds of frames.
  enum Frames {
    /// Recorded ones, none of which is left out.
    case recorded(UnsafeMutablePointer<FrameHandover>)
    /// Those of a camera, of which the newest counts.
    case live(UnsafeMutablePointer<CameraFeed>)
  }

  /// The frames.
  let frames: Frames
  /// When they are due.
  let clock: FrameClock
  /// Whether they are a camera's.
  var isLive: Bool {
    if case .live = frames { true } else { false }
  }
  /// The camera and the rate of the command line.
  private var device: Argument?
  private var rate: Int?

  /// Opens what `--source` names and begins to read it. A camera need not be there yet.
  ///
  /// - Parameters:
  ///   - options: where frames come from, and at what rate.
  ///   - camera: how a camera is to be set.
  /// - Throws: `ExitStatus` after telling of the fault.
  init(_ options: RunOptions, camera: CameraSettings) throws(ExitStatus) {
    guard let path = options.source else {
      try self.init(camera: camera, device: nil, rate: options.rate)
      return
    }
    if strncmp(path, ("v4l2:" as StaticString).cString, 5) == 0 {
      try self.init(camera: camera, device: path + 5, rate: options.rate)
      return
    }
    let descriptor = csystem_open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    if descriptor < 0 || fstat(descriptor, &status) != 0 {
      let code = csystem_errno()
      if descriptor >= 0 { close(descriptor) }
      complain(RunOptions.command) { line in
        line.write("--source ")
        line.write(name: path)
        line.write(": cannot be opened (")
        line.write(error: code)
        line.write("); check the name and who may read it")
      }
      throw .failed
    }
    switch status.st_mode & 0o170000 {
    case 0o040000:
      close(descriptor)
      try self.init(folder: try RunFolder(path), rate: options.rate)
    case 0o020000:
      close(descriptor)
      try self.init(camera: camera, device: path, rate: options.rate)
    default: try self.init(video: descriptor, path: path, rate: options.rate)
    }
  }

  /// How the camera is to be set: what the command line says goes before the configuration.
  private static func settings(
    _ camera: CameraSettings, device: Argument?, rate: Int?
  ) -> CameraSettings {
    var settings = camera
    if let device, device[0] != 0 {
      settings.device.removeAll()
      settings.device.append(cString: device)
      settings.device.append(byte: 0)
    }
    if let rate { settings.rate = UInt32(min(max((rate + 500) / 1000, 1), 120)) }
    return settings
  }

  private init(
    camera: CameraSettings, device: Argument?, rate: Int?
  ) throws(ExitStatus) {
    let settings = RunSource.settings(camera, device: device, rate: rate)
    if settings.device.isCut {
      complain(RunOptions.command) { $0.write("--source v4l2: is followed by too long a path") }
      throw .usage
    }
    guard let feed = CameraFeed.make(settings) else { throw complainOfMemory(0) }
    frames = .live(feed)
    clock = FrameClock()
    self.device = device
    self.rate = rate
    try RunSource.start(feed) { context in
      context?.assumingMemoryBound(to: CameraFeed.self).pointee.runWorker()
      return nil
    }
  }

  private init(folder: RunFolder, rate: Int?) throws(ExitStatus) {
    let handover = try RunSource.makeHandover(pixels: RunSource.pixels(of: folder))
    frames = .recorded(handover)
    clock = RunSource.clock(rate, or: (10, 1))
    let reading = UnsafeMutablePointer<FolderReading>.allocate(capacity: 1)
    reading.initialize(to: FolderReading(folder: folder, handover: handover))
    try RunSource.start(reading) { context in
      context?.assumingMemoryBound(to: FolderReading.self).pointee.run()
      return nil
    }
  }

  private init(video descriptor: Int32, path: Argument, rate: Int?) throws(ExitStatus) {
    let reader = try RunSource.openVideo(descriptor, path: path)
    let format = reader.format
    let handover = try RunSource.makeHandover(pixels: format.width * format.height)
    frames = .recorded(handover)
    clock = RunSource.clock(
      rate,
      or: format.rateNumerator > 0 ? (format.rateNumerator, format.rateDenominator) : (10, 1))
    let reading = UnsafeMutablePointer<VideoReading>.allocate(capacity: 1)
    reading.initialize(to: VideoReading(reader: reader, path: path, handover: handover))
    try RunSource.start(reading) { context in
      context?.assumingMemoryBound(to: VideoReading.self).pointee.run()
      return nil
    }
  }

  /// A clock at the rate of `--fps` in thousandths, or else as fast as frames can be counted, at
  /// the times of their own rate.
  private static func clock(
    _ rate: Int?, or own: (numerator: Int, denominator: Int)
  ) -> FrameClock {
    if let rate { return FrameClock(numerator: rate, denominator: 1000, isPaced: true) }
    return FrameClock(
      numerator: own.numerator, denominator: own.denominator, isPaced: false)
  }

  /// Has a camera set as a configuration read anew says.
  func apply(_ camera: CameraSettings) {
    guard case .live(let feed) = frames else { return }
    feed.pointee.apply(RunSource.settings(camera, device: device, rate: rate))
  }

  private static func openVideo(
    _ descriptor: Int32, path: Argument
  ) throws(ExitStatus) -> VideoReader {
    do throws(VideoError) {
      return try VideoReader(descriptor: descriptor)
    } catch {
      complain(ofVideo: path, error)
      throw .failed
    }
  }

  /// Pixels of the first picture that can be decoded; 1 when there is none.
  private static func pixels(of folder: RunFolder) -> Int {
    var limits = PictureLimits()
    limits.decodedPixels = pictureLimit
    for path in folder.paths {
      if let picture = try? Picture(contentsOf: path, limits: limits) {
        return picture.width * picture.height
      }
    }
    return 1
  }

  private static func makeHandover(
    pixels: Int
  ) throws(ExitStatus) -> UnsafeMutablePointer<FrameHandover> {
    let size = (FrameHandover.memory(pixels: pixels) + 63) / 64 * 64
    guard let memory = aligned_alloc(64, size) else { throw complainOfMemory(size) }
    let handover = UnsafeMutablePointer<FrameHandover>.allocate(capacity: 1)
    handover.initialize(to: FrameHandover(pixels: pixels, memory: memory))
    return handover
  }

  private static func start(
    _ context: UnsafeMutableRawPointer,
    _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  ) throws(ExitStatus) {
    // Held in every thread, so that only the loop takes them. Until here, where opening a pipe or
    // looking for the first picture may take long, they end the process.
    csystem_hold_stop_signals()
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, body, context)
    if code != 0 {
      complain(RunOptions.command) { line in
        line.write("the thread that reads frames cannot be started (")
        line.write(error: code)
        line.write("); close other programs")
      }
      throw .failed
    }
    pthread_detach(thread)
  }
}

/// Tells that there is too little memory for frames or their names.
func complainOfMemory(_ bytes: Int, for purpose: StaticString = "frames") -> ExitStatus {
  complain(RunOptions.command) { line in
    line.write("no memory for ")
    line.write(purpose)
    line.write(", ")
    line.write(bytes)
    line.write(" bytes; close other programs or make the frames smaller")
  }
  return .failed
}

/// Tells of a fault in a video.
private func complain(ofVideo path: Argument, _ error: VideoError) {
  complain(RunOptions.command) { line in
    line.write("--source ")
    line.write(name: path)
    line.write(": ")
    line.write(error.reason)
    if case .unreadable(let code) = error {
      line.write(" (")
      line.write(error: code)
      line.write("); check the disk it is on")
    }
  }
}

/// The thread that decodes the pictures of a folder.
private struct FolderReading {
  let folder: RunFolder
  let handover: UnsafeMutablePointer<FrameHandover>

  func run() {
    for (number, path) in folder.paths.enumerated() {
      // Decoded while the one before is counted, and only then put in its place.
      let picture = decode(path)
      guard let slot = handover.pointee.waitForEmpty() else { return }
      slot.pointee.number = number
      put(picture, into: slot)
      handover.pointee.fill()
    }
    guard let slot = handover.pointee.waitForEmpty() else { return }
    slot.pointee.content = .end
    handover.pointee.fill()
  }

  /// Decodes a picture; `nil` after telling why it cannot be.
  private func decode(_ path: Argument) -> Picture? {
    do throws(PictureError) {
      var limits = PictureLimits()
      limits.decodedPixels = handover.pointee.pixelCapacity
      return try Picture(contentsOf: path, limits: limits)
    } catch {
      complain(RunOptions.command) { line in
        line.write(name: path)
        line.write(": ")
        line.write(error)
      }
      return nil
    }
  }

  private func put(_ picture: consuming Picture?, into slot: UnsafeMutablePointer<FrameSlot>) {
    guard let picture else {
      slot.pointee.content = .unreadable
      return
    }
    picture.withView { view in
      slot.pointee.pixels.update(from: view.base, count: 3 * view.width * view.height)
    }
    slot.pointee.width = picture.width
    slot.pointee.height = picture.height
    slot.pointee.content = .picture
  }
}

/// The thread that reads the frames of a video.
private struct VideoReading: ~Copyable {
  let reader: VideoReader
  let path: Argument
  let handover: UnsafeMutablePointer<FrameHandover>
  let samples: UnsafeMutablePointer<UInt8>

  init(
    reader: consuming VideoReader, path: Argument,
    handover: UnsafeMutablePointer<FrameHandover>
  ) {
    samples = UnsafeMutablePointer<UInt8>.allocate(capacity: reader.format.frameBytes)
    self.reader = reader
    self.path = path
    self.handover = handover
  }

  func run() {
    var number = 0
    var content = FrameSlot.Content.picture
    while content != .end {
      // What follows a fault cannot be read either.
      content = content == .picture ? read() : .end
      guard let slot = handover.pointee.waitForEmpty() else { return }
      slot.pointee.number = number
      slot.pointee.content = content
      if content == .picture { convert(into: slot) }
      handover.pointee.fill()
      number += 1
    }
  }

  private func read() -> FrameSlot.Content {
    do throws(VideoError) {
      return try reader.read(into: samples) ? .picture : .end
    } catch {
      complain(ofVideo: path, error)
      return .unreadable
    }
  }

  private func convert(into slot: UnsafeMutablePointer<FrameSlot>) {
    let format = reader.format
    slot.pointee.width = format.width
    slot.pointee.height = format.height
    format.frame(samples).convert(into: slot.pointee.pixels, stride: 3 * format.width)
  }
}
