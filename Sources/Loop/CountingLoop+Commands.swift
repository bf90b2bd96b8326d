import Announcing
import Commands

extension CountingLoop {
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
      return .reset
    case .status: return .status(status(frames: frame))
    case .mute:
      announcer.isMuted = true
      return .muted
    case .unmute:
      announcer.isMuted = false
      return .unmuted(hasVoice: announcer.hasVoice)
    case .help: return .help
    }
  }
}
