import Announcing
import Commands
import Counting
import Detection
import Learning

extension CountingLoop {
  /// Frames for which a coin must lie still to be learned.
  static let stillFrames = 4

  /// Does what has been asked for since the last turn.
  /// - Parameter frame: how many frames have been taken.
  mutating func obeyCommands(frame: Int) {
    announcer.pollConsole(into: &commands)
    for index in 0..<commands.count { obey(commands[index], frame: frame) }
    commands.removeAll()
    tellFaults(frame: frame)
  }

  private mutating func obey(_ request: Request, frame: Int) {
    let answer = carryOut(request.command, frame: frame)
    if request.origin == .console { announcer.answer(answer) }
  }

  private mutating func carryOut(_ command: Command, frame: Int) -> Answer {
    switch command {
    case .total: return .total(announcer.total)
    case .repeat:
      announcer.repeatTotal()
      return .repeated(announcer.total, isSpoken: announcer.hasVoice)
    case .reset:
      reset()
      till.reset()
      return .reset
    case .status: return .status(status(frames: frame))
    case .mute:
      announcer.isMuted = true
      return .muted
    case .unmute:
      announcer.isMuted = false
      return .unmuted(hasVoice: announcer.hasVoice)
    case .mode(let mode):
      if mode == .target && till.price == 0 { return .refused }
      announce(till.choose(mode), frame: frame)
    case .target(let price): announce(till.choose(.target, price: price), frame: frame)
    case .keep: announce(.batch(till.demanded), frame: frame)
    case .teach(let name, let value):
      if !watch.canBeTaught { return .refused }
      let teacher = Teacher(name: name, value: value, stillFrames: CountingLoop.stillFrames)
      announce(.lesson(classroom.begin(teacher)), frame: frame)
    case .calibrate: announce(.calibration(tray.begin()), frame: frame)
    case .cancel:
      endLesson(frame: frame)
      endCalibration(frame: frame)
    case .help: return .help
    }
    return .accepted
  }
}
