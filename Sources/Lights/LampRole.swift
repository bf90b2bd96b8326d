import Counting

/// What a light that stands alone is for.
enum LampRole {
  /// How many roles there are, every light of the bar included.
  static let count = 4 + LampSettings.barCapacity

  /// The address of a role's light, if there is one.
  static func address(_ index: Int, in settings: LampSettings) -> LineAddress? {
    switch index {
    case 0: settings.ready
    case 1: settings.counting
    case 2: settings.unsure
    case 3: settings.fault
    default: settings.bar[index - 4]
    }
  }

  /// Whether a role's light is lit.
  static func isLit(_ index: Int, _ state: LightsState, _ settings: LampSettings) -> Bool {
    switch index {
    case 0: state.isCounting
    case 1: state.isUnsettled || state.isHolding
    case 2: state.total.unsure > 0
    case 3: state.hasFault
    default: index - 4 < state.litLights(of: settings.barCount)
    }
  }
}
