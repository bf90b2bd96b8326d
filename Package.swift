// swift-tools-version: 6.2
import PackageDescription

// Reads top to bottom as data flows: frames, engine, detection, counting, announcing, the command.
//
// RECEH_EMBEDDED=1  Embedded Swift, as on the board; the loop's modules refuse to allocate.
//                   Unset: ordinary Swift, for `swift test`.
// RECEH_ARM=1       the aarch64 build (set together with the triple and toolset in toolchain/).
let embedded = Context.environment["RECEH_EMBEDDED"] == "1"

let common: [SwiftSetting] =
  [
    .enableExperimentalFeature("Lifetimes"), .enableExperimentalFeature("RawLayout"),
    .swiftLanguageMode(.v6),
  ]
  + (embedded
    ? [
      .enableExperimentalFeature("Embedded"),
      .unsafeFlags(["-wmo", "-Xfrontend", "-function-sections"]),
    ] : [])
/// Modules that run inside the loop: in the embedded build the compiler rejects any allocation.
let loop: [SwiftSetting] = common + (embedded ? [.unsafeFlags(["-no-allocations"])] : [])
/// Modules that run a few times a second at most: in the embedded build, small rather than fast.
let small: [SwiftSetting] = embedded ? [.unsafeFlags(["-Osize"])] : []
let warnings: [CSetting] = [.unsafeFlags(["-std=c23", "-Wall", "-Wextra", "-Werror"])]

let package = Package(
  name: "receh",
  products: embedded
    ? []
    // Preloaded into the command by tests, never linked.
    : [
      .library(name: "AllocationCounter", type: .dynamic, targets: ["AllocationCounter"]),
      .library(name: "CameraSimulator", type: .dynamic, targets: ["CameraSimulator"]),
      .library(name: "Faults", type: .dynamic, targets: ["Faults"]),
    ],
  targets: [
    .target(name: "CSystem", cSettings: warnings),
    .target(name: "CModel", cSettings: warnings),
    .target(name: "CKernels", cSettings: warnings + [.unsafeFlags(["-O3"])]),
    .systemLibrary(name: "CTurboJPEG"),
    .target(name: "CPNG", cSettings: warnings, linkerSettings: [.linkedLibrary("png")]),
    .target(
      name: "CMotionJPEG", cSettings: warnings, linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CVideo", cSettings: warnings),
    .target(
      name: "CConversion", dependencies: ["CSystem"], cSettings: warnings,
      linkerSettings: [.linkedLibrary("v4lconvert")]),
    .systemLibrary(name: "CEspeak"),
    .systemLibrary(name: "CALSA"),
    .systemLibrary(name: "CInih"),
    .target(name: "CGPIO", cSettings: warnings),

    // The mathematical library is for unoptimised builds, which call it for square roots.
    .target(
      name: "Frames", dependencies: ["CKernels"], swiftSettings: loop,
      linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Engine", dependencies: ["CKernels"], swiftSettings: loop),
    .target(name: "Detection", dependencies: ["Frames", "Engine"], swiftSettings: loop),
    .target(name: "Counting", dependencies: ["Detection", "Frames"], swiftSettings: loop),
    .target(
      name: "Learning",
      dependencies: ["CSystem", "Frames", "Engine", "Detection", "Counting"],
      swiftSettings: loop + small),
    .target(
      name: "Announcing", dependencies: ["Counting", "Detection", "Frames"],
      swiftSettings: loop + small),
    .target(name: "Threads", swiftSettings: loop),
    .target(name: "Devices", dependencies: ["CSystem"], swiftSettings: loop),
    .target(name: "Life", dependencies: ["CSystem", "Announcing"], swiftSettings: loop + small),
    .target(
      name: "Ledger", dependencies: ["CSystem", "Engine", "Announcing", "Counting", "Frames"],
      swiftSettings: loop + small),
    .target(
      name: "Voice",
      dependencies: ["CEspeak", "CALSA", "CSystem", "Announcing", "Counting", "Threads"],
      swiftSettings: loop + small,
      linkerSettings: [.linkedLibrary("espeak-ng"), .linkedLibrary("asound")]),
    .target(
      name: "Commands", dependencies: ["Counting", "Detection", "Frames"],
      swiftSettings: loop + small),
    .target(
      name: "Buttons", dependencies: ["CSystem", "Announcing", "Devices", "Lights"],
      swiftSettings: loop + small),
    .target(
      name: "Lights",
      dependencies: ["CGPIO", "CSystem", "Announcing", "Counting", "Devices", "Threads"],
      swiftSettings: loop + small),
    .target(
      name: "Console",
      dependencies: ["CSystem", "Announcing", "Commands", "Counting", "Devices"],
      swiftSettings: loop + small),
    .target(
      name: "Loop",
      dependencies: [
        "CSystem", "Frames", "Detection", "Counting", "Announcing", "Commands", "Ledger", "Life",
        "Voice", "Lights", "Console", "Buttons", "Learning",
      ],
      swiftSettings: loop + small),
    .target(
      name: "Camera",
      dependencies: [
        "CConversion", "CMotionJPEG", "CSystem", "CVideo", "Announcing", "Counting", "Devices",
        "Frames", "Loop", "Threads",
      ],
      swiftSettings: loop + small),
    .target(
      name: "Pictures", dependencies: ["CSystem", "CTurboJPEG", "CPNG", "Frames"],
      swiftSettings: common + small, linkerSettings: [.linkedLibrary("turbojpeg")]),
    .target(name: "EngineChecks", dependencies: ["Engine", "Frames"], swiftSettings: common),
    .executableTarget(
      name: "engine-check", dependencies: ["CSystem", "Engine", "EngineChecks"],
      swiftSettings: common),
    .target(
      name: "BenchmarkWork", dependencies: ["Detection", "Engine", "Frames"],
      path: "Benchmarks/engine/Work", swiftSettings: common),
    .executableTarget(
      name: "engine-count", dependencies: ["CSystem", "Engine", "BenchmarkWork"],
      path: "Benchmarks/engine/Counting",
      swiftSettings: common),
    .executableTarget(
      name: "receh",
      dependencies: [
        "Camera", "CModel", "CInih", "CSystem", "Frames", "Pictures", "Engine", "Detection",
        "Counting", "Announcing", "Commands", "Ledger", "Life", "Voice", "Lights", "Console",
        "Buttons", "Learning", "Loop",
      ],
      swiftSettings: common + small, linkerSettings: [.linkedLibrary("inih")]),
  ]
    + (embedded
      ? []
      : [
        .target(
          name: "CPeak", path: "Benchmarks/engine/Peak",
          cSettings: warnings + [.unsafeFlags(["-O3"])]),
        .executableTarget(
          name: "engine-benchmark",
          dependencies: [
            "BenchmarkWork", "CPeak", "CSystem", "Detection", "Engine", "Frames",
          ],
          path: "Benchmarks/engine/Timing",
          swiftSettings: common, linkerSettings: [.linkedLibrary("m")]),
        .executableTarget(
          name: "voice-benchmark", dependencies: ["CSystem", "Announcing", "Counting", "Voice"],
          path: "Benchmarks/voice/Timing", swiftSettings: common),
        .testTarget(
          name: "FramesTests", dependencies: ["CKernels", "EngineChecks", "Frames", "TestSupport"]),
        .testTarget(
          name: "EngineTests", dependencies: ["CKernels", "Engine", "EngineChecks"],
          exclude: ["Fixtures"]),
        .testTarget(
          name: "DetectionTests",
          dependencies: ["CModel", "Detection", "Engine", "Frames", "TestSupport"]),
        .testTarget(name: "CountingTests", dependencies: ["Counting", "Detection", "Frames"]),
        .testTarget(name: "AnnouncingTests", dependencies: ["Announcing", "Counting"]),
        .testTarget(
          name: "PicturesTests", dependencies: ["Pictures", "CTurboJPEG", "TestSupport"]),
        .executableTarget(
          name: "ledger-writer", dependencies: ["CSystem", "Counting", "Ledger"],
          path: "Tests/LedgerWriter", swiftSettings: common),
        .testTarget(
          name: "LedgerTests",
          dependencies: [
            "Ledger", "Announcing", "Counting", "CSystem", "TestSupport", "ledger-writer",
          ]),
        .testTarget(
          name: "ThreadsTests", dependencies: ["Threads", "CSystem"]),
        .testTarget(name: "DevicesTests", dependencies: ["CSystem", "Devices", "TestSupport"]),
        .testTarget(
          name: "LightsTests",
          dependencies: ["CGPIO", "CSystem", "Lights", "Announcing", "Counting", "TestSupport"]),
        .testTarget(
          name: "ConsoleTests",
          dependencies: [
            "CSystem", "Console", "Announcing", "Commands", "Counting", "TestSupport",
          ]),
        .testTarget(
          name: "ButtonsTests", dependencies: ["Buttons", "CSystem", "Lights", "TestSupport"]),
        .testTarget(
          name: "LearningTests",
          dependencies: ["Learning", "Counting", "Detection", "TestSupport"]),
        .testTarget(
          name: "CommandsTests",
          dependencies: ["Commands", "Counting", "Detection", "TestSupport"]),
        .testTarget(
          name: "VoiceTests", dependencies: ["Voice", "Announcing", "Counting", "CSystem"]),
        .testTarget(
          name: "LoopTests",
          dependencies: [
            "Loop", "CSystem", "Counting", "Detection", "Engine", "Frames", "TestSupport",
          ]),
        .testTarget(
          name: "CameraTests",
          dependencies: [
            "Camera", "CMotionJPEG", "CSystem", "CTurboJPEG", "CVideo", "Announcing", "Counting",
            "Frames", "Loop", "TestSupport",
          ]),
        .testTarget(
          name: "RecehTests",
          dependencies: [
            "receh", "CSystem", "Camera", "Announcing", "Counting", "Detection", "Frames", "Lights",
            "Pictures", "TestSupport",
          ]),
        .target(name: "CameraSimulator", path: "Tests/CameraSimulator", cSettings: warnings),
        .target(
          name: "AllocationCounter", path: "Tests/AllocationCounter", cSettings: warnings),
        .target(name: "Faults", path: "Tests/Faults", cSettings: warnings),
        .target(
          name: "TestSupport", dependencies: ["CSystem", "CTurboJPEG", "Frames"],
          path: "Tests/TestSupport"),
      ])
)
