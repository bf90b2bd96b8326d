import CSystem
import Frames
import Loop
import Pictures

/// Recorded frames, read on a thread of their own into a ring.
///
/// What the thread works on is kept until the process ends, because the thread may outlive the
/// loop.
struct RunSource {
  /// Most pixels of a picture; larger ones are made smaller while they are decoded.
  private static let pictureLimit = 1920 * 1080

  /// The frames.
  let ring: UnsafeMutablePointer<FrameRing>
  /// Frames a second as a fraction, both at least 1: the video's, or 10 for a folder.
  let rate: (numerator: Int, denominator: Int)

  /// Opens what `--source` names and begins to read it.
  ///
  /// - Throws: `ExitStatus` after telling of the fault.
  init(_ path: Argument?) throws(ExitStatus) {
    guard let path, strncmp(path, ("v4l2:" as StaticString).cString, 5) != 0 else {
      complain(RunOptions.command) { line in
        line.write("--source ")
        line.write(name: path ?? ("v4l2:/dev/video0" as StaticString).cString)
        line.write(": cameras are not read by this version; ")
        line.write("give a folder of pictures or a .y4m file")
      }
      throw .usage
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
    if status.st_mode & 0o170000 == 0o040000 {
      close(descriptor)
      try self.init(folder: try RunFolder(path))
    } else {
      try self.init(video: descriptor, path: path)
    }
  }

  private init(folder: RunFolder) throws(ExitStatus) {
    ring = try RunSource.makeRing(pixels: RunSource.pixels(of: folder))
    rate = (10, 1)
    let reading = UnsafeMutablePointer<FolderReading>.allocate(capacity: 1)
    reading.initialize(to: FolderReading(folder: folder, ring: ring))
    try RunSource.start(reading) { context in
      context?.assumingMemoryBound(to: FolderReading.self).pointee.run()
      return nil
    }
  }

  private init(video descriptor: Int32, path: Argument) throws(ExitStatus) {
    let reader = try RunSource.openVideo(descriptor, path: path)
    let format = reader.format
    ring = try RunSource.makeRing(pixels: format.width * format.height)
    rate = format.rateNumerator > 0 ? (format.rateNumerator, format.rateDenominator) : (10, 1)
    let reading = UnsafeMutablePointer<VideoReading>.allocate(capacity: 1)
    reading.initialize(to: VideoReading(reader: reader, path: path, ring: ring))
    try RunSource.start(reading) { context in
      context?.assumingMemoryBound(to: VideoReading.self).pointee.run()
      return nil
    }
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

  private static func makeRing(pixels: Int) throws(ExitStatus) -> UnsafeMutablePointer<FrameRing> {
    let size = (FrameRing.memory(pixels: pixels) + 63) / 64 * 64
    guard let memory = aligned_alloc(64, size) else { throw complainOfMemory(size) }
    let ring = UnsafeMutablePointer<FrameRing>.allocate(capacity: 1)
    ring.initialize(to: FrameRing(pixels: pixels, memory: memory))
    return ring
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
  let ring: UnsafeMutablePointer<FrameRing>

  func run() {
    for (number, path) in folder.paths.enumerated() {
      guard let slot = ring.pointee.waitForEmpty(turn: number) else { return }
      slot.pointee.number = number
      decode(path, into: slot)
      ring.pointee.fill()
    }
    guard let slot = ring.pointee.waitForEmpty(turn: folder.paths.count) else { return }
    slot.pointee.content = .end
    ring.pointee.fill()
  }

  private func decode(_ path: Argument, into slot: UnsafeMutablePointer<FrameSlot>) {
    do throws(PictureError) {
      var limits = PictureLimits()
      limits.decodedPixels = ring.pointee.pixelCapacity
      let picture = try Picture(contentsOf: path, limits: limits)
      picture.withView { view in
        slot.pointee.pixels.update(from: view.base, count: 3 * view.width * view.height)
      }
      slot.pointee.width = picture.width
      slot.pointee.height = picture.height
      slot.pointee.content = .picture
    } catch {
      slot.pointee.content = .unreadable
      complain(RunOptions.command) { line in
        line.write(name: path)
        line.write(": ")
        line.write(error)
      }
    }
  }
}

/// The thread that reads the frames of a video.
private struct VideoReading: ~Copyable {
  let reader: VideoReader
  let path: Argument
  let ring: UnsafeMutablePointer<FrameRing>
  let samples: UnsafeMutablePointer<UInt8>

  init(
    reader: consuming VideoReader, path: Argument, ring: UnsafeMutablePointer<FrameRing>
  ) {
    samples = UnsafeMutablePointer<UInt8>.allocate(capacity: reader.format.frameBytes)
    self.reader = reader
    self.path = path
    self.ring = ring
  }

  func run() {
    var turn = 0
    var isEnded = false
    while let slot = ring.pointee.waitForEmpty(turn: turn) {
      slot.pointee.number = turn
      slot.pointee.width = reader.format.width
      slot.pointee.height = reader.format.height
      slot.pointee.content = isEnded ? .end : read(into: slot)
      // What follows a fault cannot be read either.
      isEnded = slot.pointee.content != .picture
      let isLast = slot.pointee.content == .end
      ring.pointee.fill()
      if isLast { return }
      turn += 1
    }
  }

  private func read(into slot: UnsafeMutablePointer<FrameSlot>) -> FrameSlot.Content {
    do throws(VideoError) {
      return try reader.read(samples: samples, into: slot.pointee.pixels) ? .picture : .end
    } catch {
      complain(ofVideo: path, error)
      return .unreadable
    }
  }
}
