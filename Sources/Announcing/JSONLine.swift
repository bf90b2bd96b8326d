import Counting
import Detection
import Frames

/// One event as a line of JSON.
public typealias EventLine = Text<768>

extension Text {
  /// Appends `event` as one line of JSON, newline included.
  ///
  /// Keys are in a fixed order and numbers are integers, except for confidences with two
  /// decimals, so that the same events are the same bytes on every machine. `withdrawn` is there
  /// only when it says something. The longest event takes 600 bytes.
  public mutating func append(json event: Event) {
    append("{\"event\":\"")
    switch event.kind {
    case .ready: append("ready\"")
    case .coinAdded(let coin):
      append("coin-added\"")
      append(coin)
    case .coinRemoved(let coin):
      append("coin-removed\"")
      append(coin)
    case .total(let total):
      append("total\"")
      append(field: ",\"total\":", Int(total.total))
      append(field: ",\"coins\":", Int(total.coins))
      append(field: ",\"unsure\":", Int(total.unsure))
      if total.withdrawn > 0 { append(field: ",\"withdrawn\":", Int(total.withdrawn)) }
      append(total.named)
    case .batch(let batch): append(batch)
    case .saved(let saved): append(saved)
    case .target(let target): append(target)
    case .mode(let mode): append(mode)
    case .lesson(let lesson): append(lesson)
    case .calibration(let step): append(step)
    case .hold(let reason):
      append("hold\",\"why\":\"")
      switch reason {
      case .motion: append("motion")
      case .obstacle: append("covered")
      case .crowded: append("too many coins")
      }
      append("\"")
    case .degraded(let degradation):
      append(degradation)
    case .repeated(let degradation, let times):
      append(degradation)
      append(field: ",\"times\":", times)
    case .recovered(let degradation):
      append("recovered\",\"part\":\"")
      append(degradation.part)
      append("\"")
    case .cameraLost(let degradation):
      append("camera-lost\",\"why\":\"")
      append(degradation.reason)
      append("\"")
    case .cameraBack: append("camera-back\"")
    case .reloaded: append("reloaded\"")
    case .stopped: append("stopped\"")
    }
    append(field: ",\"frame\":", event.frame)
    append(field: ",\"ms\":", event.milliseconds)
    append("}\n")
  }

  private mutating func append(_ degradation: Degradation) {
    append("degraded\",\"part\":\"")
    append(degradation.part)
    append("\",\"why\":\"")
    append(degradation.reason)
    append("\"")
  }

  private mutating func append(_ coin: Coin) {
    append(field: ",\"id\":", Int(coin.id))
    append(field: ",\"value\":", Int(coin.value))
    if coin.name.count > 0 { append(field: ",\"name\":", coin.name) }
    if coin.isWithdrawn { append(",\"withdrawn\":true") }
    append(",\"confidence\":")
    append(probability: coin.confidence)
    append(field: ",\"x\":", wholePixels(coin.x))
    append(field: ",\"y\":", wholePixels(coin.y))
    append(field: ",\"diameter\":", wholePixels(coin.diameter))
  }

  mutating func append(field name: StaticString, _ number: Int) {
    append(name)
    append(number)
  }
}

/// A length in pixels, rounded to whole ones and held within what a picture can have.
public func wholePixels(_ length: Float) -> Int {
  ElementaryFunctions.nearestInteger(Double(min(max(length, -99_999), 99_999)))
}
