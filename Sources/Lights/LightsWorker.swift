import CSystem
import Counting
import Synchronization
import Threads

/// The life of the lights' process.
struct LightsWorker: ~Copyable {
  /// Milliseconds between attempts to open what is missing and to show the state again.
  private static let interval: Int64 = 1000
  /// A strip on GPIO lines is shown again at every tenth of those only: it takes tens of
  /// milliseconds of the processor.
  private static let slowTurns = 10

  private let shared: UnsafePointer<LightsShared>
  private let stream: Int32
  private var driver: LightsDriver
  private var toldLampFault: Degradation?
  private var toldStripFault: Degradation?

  /// Shows states until the loop's process ends or closes the stream, then makes all dark.
  static func run(
    _ shared: UnsafePointer<LightsShared>, _ settings: LightsSettings, stream: Int32
  ) {
    var worker = LightsWorker(
      shared: shared, stream: stream, driver: LightsDriver(settings), toldLampFault: nil,
      toldStripFault: nil)
    worker.showUntilEnd()
  }

  private mutating func showUntilEnd() {
    var turn = 0
    var due = csystem_monotonic_milliseconds()
    var front = shared.pointee.front.load(ordering: .acquiring)
    while true {
      let now = csystem_monotonic_milliseconds()
      if now >= due {
        driver.refresh(includesSlowStrip: turn % LightsWorker.slowTurns == 0)
        tell()
        turn += 1
        due = csystem_monotonic_milliseconds() + LightsWorker.interval
      }
      csystem_wait_readable(stream, Int32(max(0, due - now)))
      var byte = csystem_take_byte(stream)
      while byte >= 0 { byte = csystem_take_byte(stream) }
      // The other end is closed by the end of the loop, or by the end of its process.
      if byte == -2 { break }
      if let state = shared.pointee.mailbox.take(front: &front) {
        shared.pointee.front.store(front, ordering: .releasing)
        driver.show(state)
        tell()
      }
    }
    driver.darken()
  }

  /// Tells what has stopped working, and what works again.
  private mutating func tell() {
    LightsWorker.tell(driver.lampFault, &toldLampFault, on: stream)
    LightsWorker.tell(driver.stripFault, &toldStripFault, on: stream)
  }

  private static func tell(_ fault: Degradation?, _ told: inout Degradation?, on stream: Int32) {
    if fault == told { return }
    if let fault {
      csystem_send_byte(stream, LightsNews.fault(fault).byte)
    } else if let told {
      csystem_send_byte(stream, LightsNews.recovered(told).byte)
    }
    told = fault
  }
}
