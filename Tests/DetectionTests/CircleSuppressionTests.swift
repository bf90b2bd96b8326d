import Frames
import TestSupport
import Testing

@testable import Detection

@Suite struct CircleSuppressionTests {
  private func reduced(_ circles: [Candidate]) -> [Candidate] {
    var list = CandidateList()
    for circle in circles { list.add(circle) }
    CircleSuppression.reduce(&list)
    return (0..<list.count).map { list[$0] }
  }

  private func circle(_ x: Float, _ y: Float, _ radius: Float, _ score: Float) -> Candidate {
    Candidate(x: x, y: y, radius: radius, score: score)
  }

  @Test func touchingCoinsAndOverlappingOnesAllStay() {
    #expect(reduced([circle(50, 50, 20, 1), circle(90, 50, 20, 2)]).count == 2)
    // 45 % covered.
    #expect(reduced([circle(50, 50, 20, 1), circle(67.4, 50, 20, 2)]).count == 2)
  }

  @Test func aCoinSeenTwiceIsTheSurerSight() {
    let kept = reduced([circle(50, 50, 20, 1), circle(53, 49, 22, 3), circle(50, 51, 14, 2)])
    #expect(kept.count == 1)
    #expect(kept[0].score == 3)
  }

  @Test func aCircleThatStandsForOthersNeedsNoMoreEvidenceThanTheyDo() {
    var closer = circle(50, 50, 20, 3)
    closer.leastSum = 4
    var alone = circle(200, 50, 20, 3)
    alone.leastSum = 4
    let kept = reduced([closer, circle(51, 50, 20, 1), alone])
    #expect(kept.count == 2)
    #expect(kept.first { $0.x < 100 }?.leastSum == -.infinity)
    #expect(kept.first { $0.x > 100 }?.leastSum == 4)
  }

  @Test func theSameCirclesInAnyOrderLeaveTheSame() {
    var random = Dice(state: 21)
    for _ in 0..<30 {
      var circles = (0..<40).map { _ in
        circle(
          .random(in: 0...300, using: &random), .random(in: 0...200, using: &random),
          .random(in: 10...40, using: &random), Float(Int.random(in: 0...9, using: &random)))
      }
      let first = reduced(circles)
      circles.shuffle(using: &random)
      let second = reduced(circles)
      #expect(first.count == second.count)
      for index in first.indices {
        #expect(first[index].x == second[index].x && first[index].y == second[index].y)
      }
    }
  }

  @Test func whatIsLeftIsSortedAndApartAndCoversTheRest() {
    var random = Dice(state: 22)
    let circles = (0..<200).map { _ in
      circle(
        .random(in: 0...300, using: &random), .random(in: 0...200, using: &random),
        .random(in: 10...40, using: &random), .random(in: 0...1, using: &random))
    }
    let kept = reduced(circles)
    for index in kept.indices.dropFirst() { #expect(kept[index - 1].score >= kept[index].score) }
    func isSame(_ one: Candidate, _ other: Candidate) -> Bool {
      CircleSuppression.isSame(
        x: one.x, y: one.y, radius: one.radius, x: other.x, y: other.y, radius: other.radius)
    }
    for first in kept.indices {
      for second in kept.indices where first != second {
        #expect(!isSame(kept[first], kept[second]))
      }
    }
    for circle in circles {
      #expect(kept.contains { $0.score >= circle.score && isSame($0, circle) })
    }
  }

  @Test func anEagleOnACoinIsADetailAndACoinOnAPlateTooButNotACoinBesideOne() {
    #expect(CircleSuppression.isDetail(x: 55, y: 50, radius: 8, of: 50, 50, 30))
    #expect(!CircleSuppression.isDetail(x: 55, y: 50, radius: 20, of: 50, 50, 30))
    #expect(!CircleSuppression.isDetail(x: 85, y: 50, radius: 8, of: 50, 50, 30))
  }

  @Test func anEmptyListStaysEmpty() {
    #expect(reduced([]).isEmpty)
  }
}
