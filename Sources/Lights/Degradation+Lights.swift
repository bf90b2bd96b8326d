import CGPIO
import CSystem
import Counting
import Devices

extension Degradation {
  /// The fault behind what `cgpio_output_open` gives for a single light.
  init(line fault: Int32) {
    self =
      switch fault {
      case CGPIO_NO_LIBRARY.rawValue: .gpioLibraryMissing
      case CGPIO_NO_CHIP.rawValue: .gpioChipMissing
      case CGPIO_NO_LABEL.rawValue: .ledLabelUnknown
      case CGPIO_NO_NAME.rawValue: .ledNameUnknown
      case CGPIO_NO_OFFSET.rawValue: .ledNumberTooLarge
      case EBUSY: .ledBusy
      case EACCES, EPERM: .ledForbidden
      default: .ledRefused
      }
  }

  /// The fault behind a failure to open a strip's SPI node.
  init(strip error: SystemError) {
    self =
      error.isForbidden
      ? .stripForbidden
      : error.code == EBUSY ? .stripBusy : error.isMissing ? .stripMissing : .stripUnfit
  }

  /// The fault of a line, when a strip hangs on it.
  var ofStripLine: Degradation {
    switch self {
    case .ledBusy: .stripLineBusy
    case .ledForbidden: .stripForbidden
    case .gpioLibraryMissing: .gpioLibraryMissing
    default: .stripLineMissing
    }
  }
}
