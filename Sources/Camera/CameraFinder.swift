import Announcing
import CSystem
import Counting

/// Finds the camera: the one named, or the one that was there before, or the first that works.
struct CameraFinder: BitwiseCopyable {
  /// Node numbers that are looked at, `/dev/video0` to `/dev/video63`: a Raspberry Pi's codecs take
  /// numbers up to 35.
  static let nodeCount = 64
  /// Milliseconds for which a camera pulled out is waited for before another may take its place.
  static let patience: Int64 = 10_000

  private var settings: CameraSettings
  /// The camera that was streaming last.
  private var known: CameraIdentity?

  init(_ settings: CameraSettings) {
    self.settings = settings
  }

  /// Takes over other settings; where they name another node, the camera before is forgotten.
  mutating func use(_ settings: CameraSettings) {
    if settings.device != self.settings.device { known = nil }
    self.settings = settings
  }

  /// Notes which camera is to be found again.
  mutating func remember(_ identity: CameraIdentity) {
    known = identity
  }

  /// Opens and starts the camera.
  ///
  /// One that was there before is found by its place on the bus, wherever its node is now; failing
  /// that, as the same make elsewhere. Else it is the node that was named, or the first that works.
  /// - Parameter absence: milliseconds since there was a camera.
  /// - Throws: the fault that tells most.
  func open(absence: Int64) throws(Degradation) -> CameraStream {
    if let known {
      if let number = find(known) { return try open(path(number)) }
      if settings.device.count == 0 && absence < CameraFinder.patience { throw .cameraMissing }
    }
    return settings.device.count > 0 ? try open(settings.device) : try openAny()
  }

  private func open(_ path: Text<128>) throws(Degradation) -> CameraStream {
    let node = try openNode(path)
    return try start(node)
  }

  private func start(_ node: consuming VideoNode) throws(Degradation) -> CameraStream {
    let stream = try CameraStream(node, settings)
    try stream.start()
    return stream
  }

  private func openNode(_ path: Text<128>) throws(Degradation) -> VideoNode {
    let bytes = path.span
    return try bytes.withUnsafeBufferPointer { buffer throws(Degradation) in
      guard let base = buffer.baseAddress else { throw .cameraMissing }
      return try VideoNode(path: UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self))
    }
  }

  /// The number of the node that is the camera known before: at its place, or else of its make.
  private func find(_ known: CameraIdentity) -> Int? {
    var similar: Int?
    for number in 0..<CameraFinder.nodeCount {
      guard let node = try? openNode(path(number)) else { continue }
      if node.identity.isAtSamePlace(as: known) && node.identity.isOfSameKind(as: known) {
        return number
      }
      if similar == nil && node.identity.isOfSameKind(as: known) { similar = number }
    }
    return similar
  }

  private func openAny() throws(Degradation) -> CameraStream {
    var fault = Degradation.cameraMissing
    for number in 0..<CameraFinder.nodeCount {
      do throws(Degradation) {
        return try open(path(number))
      } catch {
        // Other nodes than cameras are ordinary here.
        if error != .cameraMissing && error != .cameraIsNone && fault == .cameraMissing {
          fault = error
        }
      }
    }
    throw fault
  }

  private func path(_ number: Int) -> Text<128> {
    var path = Text<128>()
    path.append("/dev/video")
    path.append(number)
    path.append(byte: 0)
    return path
  }
}
