import CGPIO
import CSystem
import Counting
import Devices

/// What is wrong with a light.
enum LightsFault: Error, BitwiseCopyable, Equatable {
  case libraryMissing
  case chipMissing
  case labelUnknown
  case nameUnknown
  case offsetTooLarge
  case lineBusy
  case lineForbidden
  case lineRefused
  case lineLost
  case stripMissing
  case stripForbidden
  case stripBusy
  case stripUnfit
  case stripTooLong
  case stripLost
  case stripLineMissing
  case stripLineBusy

  /// The fault behind what `cgpio_output_open` gives.
  init(line fault: Int32) {
    self =
      switch fault {
      case CGPIO_NO_LIBRARY.rawValue: .libraryMissing
      case CGPIO_NO_CHIP.rawValue: .chipMissing
      case CGPIO_NO_LABEL.rawValue: .labelUnknown
      case CGPIO_NO_NAME.rawValue: .nameUnknown
      case CGPIO_NO_OFFSET.rawValue: .offsetTooLarge
      case EBUSY: .lineBusy
      case EACCES, EPERM: .lineForbidden
      default: .lineRefused
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
  var ofStripLine: LightsFault {
    switch self {
    case .lineBusy: .stripLineBusy
    case .lineForbidden: .stripForbidden
    default: .stripLineMissing
    }
  }

  /// What is told of it.
  var degradation: Degradation {
    switch self {
    case .libraryMissing: .gpioLibraryMissing
    case .chipMissing: .gpioChipMissing
    case .labelUnknown: .ledLabelUnknown
    case .nameUnknown: .ledNameUnknown
    case .offsetTooLarge: .ledNumberTooLarge
    case .lineBusy: .ledBusy
    case .lineForbidden: .ledForbidden
    case .lineRefused: .ledRefused
    case .lineLost: .ledLost
    case .stripMissing: .stripMissing
    case .stripForbidden: .stripForbidden
    case .stripBusy: .stripBusy
    case .stripUnfit: .stripUnfit
    case .stripTooLong: .stripTooLong
    case .stripLost: .stripLost
    case .stripLineMissing: .stripLineMissing
    case .stripLineBusy: .stripLineBusy
    }
  }
}
