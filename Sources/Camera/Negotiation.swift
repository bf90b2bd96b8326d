import CSystem
import CVideo
import Counting
import Devices
import Frames

/// Finds the format in which a camera serves best.
struct Negotiation: ~Copyable {
  /// Entries of a node's list that are looked at; no driver has as many, and one whose list never
  /// ends must not be asked for ever.
  static let listed: UInt32 = 256

  /// Room for all that is read as it is, each in one piece and in planes apart, and for one that
  /// libv4l converts; what is listed twice fits too.
  private var offers = FixedList<32, FormatOffer>(filler: FormatOffer())
  private let settings: CameraSettings

  /// Sets the best format the driver accepts.
  /// - Parameters:
  ///   - node: the camera.
  ///   - settings: what is wanted of it.
  ///   - converter: set where frames need one.
  /// - Returns: what the driver has really set.
  /// - Throws: `cameraFormatUnusable` where no format can be read, `cameraFieldsApart`,
  ///   `cameraBusy` and what else a driver answers.
  static func run(
    _ node: borrowing VideoNode, _ settings: CameraSettings,
    converter: inout ForeignConverter?
  ) throws(Degradation) -> StreamFormat {
    var negotiation = Negotiation(node, settings)
    var fault = Degradation.cameraFormatUnusable
    while let offer = negotiation.takeBest() {
      do throws(Degradation) {
        if let format = try negotiation.set(offer.code, node, converter: &converter) {
          return format
        }
      } catch {
        // What the device itself suffers from no other format will cure.
        if error != .cameraFormatUnusable && error != .cameraFieldsApart { throw error }
        fault = error
      }
    }
    throw fault
  }

  /// Asks for all formats and their rates.
  private init(_ node: borrowing VideoNode, _ settings: CameraSettings) {
    self.settings = settings
    var hasForeign = false
    for index in 0..<Negotiation.listed {
      guard let code = node.format(at: index) else { break }
      if settings.format != 0 && settings.format != code { continue }
      // Some drivers list dozens of these; libv4l is asked which of them it is to be.
      if FrameEncoding(code: code) == .foreign {
        if hasForeign { continue }
        hasForeign = true
      }
      offers.append(FormatOffer(code: code))
    }
    for index in 0..<offers.count {
      offers[index].rate = node.rate(
        code: offers[index].code, width: CameraSettings.width, height: CameraSettings.height)
    }
  }

  /// Takes the best offer out of the list.
  private mutating func takeBest() -> FormatOffer? {
    if offers.count == 0 { return nil }
    var best = 0
    for index in stride(from: 1, to: offers.count, by: 1)
    where offers[index].isBetter(than: offers[best], rate: settings.rate) {
      best = index
    }
    let offer = offers[best]
    offers.swapRemove(at: best)
    return offer
  }

  /// Has the driver set a format; `nil` where what it set cannot be used.
  private func set(
    _ code: UInt32, _ node: borrowing VideoNode, converter: inout ForeignConverter?
  ) throws(Degradation) -> StreamFormat? {
    var code = code
    if FrameEncoding(code: code) == .foreign {
      if converter == nil { converter = ForeignConverter(node) }
      // The library knows which of the camera's formats it converts, unless one is prescribed.
      if settings.format == 0 {
        let choice = converter?.choose(
          width: CameraSettings.width, height: CameraSettings.height)
        guard let choice else { return nil }
        code = choice
      }
    }
    let answer: v4l2_format
    do throws(SystemError) {
      answer = try node.setFormat(
        code: code, width: CameraSettings.width, height: CameraSettings.height)
    } catch {
      if error.code == EINVAL { return nil }
      throw error.asCameraFault
    }
    var copy = answer
    let format = try StreamFormat(cvideo_read_format(&copy))
    if format.encoding != .foreign {
      converter = nil
      return format
    }
    return converter?.prepare(answer) == true ? format : nil
  }
}
