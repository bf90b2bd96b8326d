import CALSA
import CSystem
import Counting

/// The sound device, played through ALSA directly.
struct Speaker: ~Copyable {
  private let device: OpaquePointer
  private let rate: Int

  /// Opens the default device.
  /// - Parameter rate: samples a second.
  /// - Throws: `soundDeviceMissing` when none takes 16-bit mono samples at this rate.
  init(rate: Int) throws(Degradation) {
    calsa_be_quiet()
    var opened: OpaquePointer?
    let name = UnsafeRawPointer(("default" as StaticString).utf8Start)
      .assumingMemoryBound(to: CChar.self)
    // A device that another program holds is as good as missing: opening it otherwise waits.
    if snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK)) < 0 {
      throw .soundDeviceMissing
    }
    guard let opened else { throw .soundDeviceMissing }
    snd_pcm_nonblock(opened, 0)
    let latency: UInt32 = 100_000
    if snd_pcm_set_params(
      opened, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 1, UInt32(rate), 1, latency)
      < 0
    {
      snd_pcm_close(opened)
      throw .soundDeviceMissing
    }
    device = opened
    self.rate = rate
  }

  deinit {
    snd_pcm_close(device)
  }

  /// Plays samples; returns once the device has taken them, at most its latency ahead.
  /// - Throws: `soundDeviceLost` when it takes no more.
  func play(_ samples: UnsafePointer<Int16>, count: Int) throws(Degradation) {
    var start = samples
    var left = count
    var faults = 0
    while left > 0 {
      let taken = snd_pcm_writei(device, start, UInt(left))
      if taken < 0 {
        // An underrun or a suspend is ordinary; anything that stays is the end of the device.
        faults += 1
        if faults > 3 || snd_pcm_recover(device, Int32(taken), 1) < 0 { throw .soundDeviceLost }
        continue
      }
      start += taken
      left -= taken
    }
  }

  /// Waits until everything taken has been heard, or `isCut` says to stop at once.
  func finish(isCut: () -> Bool) {
    if snd_pcm_state(device) == SND_PCM_STATE_PREPARED { snd_pcm_start(device) }
    var waited = 0
    while isSounding && waited < 2000 && !isCut() {
      csystem_sleep(10)
      waited += 10
    }
    silence()
  }

  /// Whether the device has been taken away. Nothing tells of that while nothing is played.
  var isGone: Bool { snd_pcm_avail(device) == -snd_pcm_sframes_t(ENODEV) }

  /// Whether samples are still to be heard. A device that only takes them, such as a file, runs on
  /// without a delay.
  private var isSounding: Bool {
    var delay: snd_pcm_sframes_t = 0
    return snd_pcm_state(device) == SND_PCM_STATE_RUNNING
      && snd_pcm_delay(device, &delay) == 0 && delay > 0
  }

  /// Drops what has not been heard and makes ready for the next phrase.
  func silence() {
    snd_pcm_drop(device)
    snd_pcm_prepare(device)
  }
}
