import CSystem
import CVideo
import Counting
import Devices
import Synchronization

extension CameraWorker {
  /// Gives buffers back, waits for frames, and publishes the newest.
  mutating func pump(_ feed: borrowing CameraFeed) {
    if !collect(feed) { return }
    let events = wait()
    if events < 0 {
      lose(.cameraFailing, feed)
      return
    }
    if events & POLLPRI != 0 && stream?.node.takeEvent() == true {
      lose(.cameraFormatChanged, feed)
      return
    }
    if events & (POLLIN | POLLERR | POLLHUP | POLLNVAL) != 0 {
      if !drain(feed) { return }
      if events & POLLIN == 0 {
        // Poll would come back at once for ever.
        errorRun += 1
        if errorRun >= CameraWorker.errorLimit {
          lose(.cameraFailing, feed)
          return
        }
        pause(10)
      }
    }
    watch(feed)
  }

  private var bufferCount: Int {
    mutating get {
      if let count = stream?.bufferCount { return count }
      return 0
    }
  }

  private mutating func wait() -> Int32 {
    if let events = stream?.wait(milliseconds: 50) { return events }
    return 0
  }

  /// Hands buffers to the driver that the loop has given back; `false` when the camera is lost.
  private mutating func collect(_ feed: borrowing CameraFeed) -> Bool {
    let places = feed.returned.exchange(0, ordering: .acquiringAndReleasing)
    outside &= ~places
    for place in 0..<MappedBuffers.capacity where places & 1 << UInt32(place) != 0 {
      if !requeue(place, feed) { return false }
    }
    return true
  }

  /// Hands a buffer to the driver; `false` when the camera is lost.
  private mutating func requeue(_ place: Int, _ feed: borrowing CameraFeed) -> Bool {
    // Pictures converted by libv4l are no buffers of the driver's.
    if place >= MappedBuffers.capacity { return true }
    do throws(SystemError) {
      try stream?.enqueue(place)
      return true
    } catch {
      lose(error.asCameraFault, feed)
      return false
    }
  }

  /// Takes all filled buffers and publishes the newest; `false` when the camera is lost.
  private mutating func drain(_ feed: borrowing CameraFeed) -> Bool {
    var newest: CameraFrame?
    var newestPlace = -1
    for _ in 0..<MappedBuffers.capacity {
      let buffer: cvideo_buffer
      do throws(SystemError) {
        guard let taken = try stream?.dequeue() else { return false }
        buffer = taken
      } catch {
        if error.mustWait { break }
        errorRun += 1
        // Some drivers answer so for one disturbed frame.
        if error.code == EIO && errorRun < CameraWorker.errorLimit { break }
        lose(error.asCameraFault, feed)
        return false
      }
      let place = Int(buffer.index)
      if place >= bufferCount || outside & 1 << UInt32(place) != 0 {
        lose(.cameraFailing, feed)
        return false
      }
      if let frame = judge(buffer, feed) {
        if newestPlace >= 0 {
          feed.late.add(1, ordering: .relaxed)
          if !requeue(newestPlace, feed) { return false }
        }
        newest = frame
        newestPlace = place
      } else if !requeue(place, feed) {
        return false
      }
    }
    guard let newest else { return true }
    return publish(newest, place: newestPlace, feed)
  }

  /// The frame of a buffer; `nil` when it is damaged or old.
  private mutating func judge(
    _ buffer: cvideo_buffer, _ feed: borrowing CameraFeed
  ) -> CameraFrame? {
    let now = csystem_device_milliseconds()
    frameCount += 1
    var frame: CameraFrame?
    if buffer.flags & cvideo_buffer_error == 0 { frame = stream?.frame(buffer) ?? nil }
    guard var frame else {
      shortRun += 1
      feed.damaged.add(1, ordering: .relaxed)
      return nil
    }
    frame.number = frameCount - 1
    if buffer.flags & cvideo_buffer_clock == cvideo_buffer_monotonic {
      // No more frames can be old than there are buffers: else the driver's clock is another.
      let isOld = now - frame.capturedAt > CameraWorker.staleAge
      staleRun = isOld ? staleRun + 1 : 0
      if isOld && staleRun <= MappedBuffers.capacity {
        feed.late.add(1, ordering: .relaxed)
        return nil
      }
      if isOld { frame.capturedAt = now }
    } else {
      frame.capturedAt = now
    }
    measure(buffer.sequence, frame.capturedAt, feed)
    noteGood(now)
    return frame
  }

  /// Tells once when the camera is much slower than it promised.
  private mutating func measure(
    _ sequence: UInt32, _ milliseconds: Int64, _ feed: borrowing CameraFeed
  ) {
    let hadRate = meter.rate != nil
    meter.add(sequence: sequence, milliseconds: milliseconds)
    guard !hadRate, let rate = meter.rate, let promised = stream?.format.rate else { return }
    if rate * 10 < promised * 7 { tell(.degraded(.cameraSlow), feed) }
  }

  /// Puts a frame where the loop takes it, in the place of one not yet taken; `false` when the
  /// camera is lost.
  private mutating func publish(
    _ frame: CameraFrame, place: Int, _ feed: borrowing CameraFeed
  ) -> Bool {
    var frame = frame
    var place = place
    if frame.format.encoding == .foreign {
      let buffer = place
      place = convert(&frame, feed)
      if !requeue(buffer, feed) { return false }
      if place < 0 { return true }
    }
    feed.frames[place] = frame
    outside |= 1 << UInt32(place)
    let before = feed.newest.exchange(place, ordering: .acquiringAndReleasing)
    if before < 0 {
      feed.signal()
      return true
    }
    outside &= ~(1 << UInt32(before))
    feed.late.add(1, ordering: .relaxed)
    return requeue(before, feed)
  }

  /// Has libv4l convert a frame into a picture the loop does not have; returns its place, or -1
  /// when the frame is damaged or the loop has not yet given one back.
  ///
  /// One that waits for the loop is left to it meanwhile, because converting may take as long as
  /// the camera takes for a frame: the loop would never find any.
  private mutating func convert(_ frame: inout CameraFrame, _ feed: borrowing CameraFeed) -> Int {
    let first = MappedBuffers.capacity
    // Newer than at the beginning of this turn: meanwhile the loop may have gone on to the other.
    outside &= ~feed.returned.exchange(0, ordering: .acquiringAndReleasing)
    var picture = outside & 1 << UInt32(first) == 0 ? 0 : 1
    if outside & 1 << UInt32(first + picture) != 0 {
      feed.late.add(1, ordering: .relaxed)
      guard let unseen = feed.take() else { return -1 }
      outside &= ~(1 << UInt32(unseen))
      picture = unseen - first
    }
    guard let bytes = frame.planes[0],
      let pixels = stream?.convert(bytes, count: frame.bytes, into: picture)
    else {
      feed.noteDamage()
      return -1
    }
    frame.format = StreamFormat(converted: frame.format)
    frame.planes[0] = pixels
    return first + picture
  }

  /// Gives a camera up that delivers nothing usable any more.
  private mutating func watch(_ feed: borrowing CameraFeed) {
    noteReturn(feed)
    if shortRun >= CameraWorker.damageLimit
      || feed.damagedRun.load(ordering: .relaxed) >= CameraWorker.damageLimit
    {
      lose(.cameraDamaged, feed)
      return
    }
    let limit =
      hasFrame ? settings.timeout : max(settings.timeout, CameraWorker.firstFrameTimeout)
    if csystem_device_milliseconds() - lastGood > limit { lose(.cameraSilent, feed) }
  }
}
