"""What the product takes of memory: model, packed weights, arena, code, and `receh run` resident.

The resident set is that of the command as it is built for the board (Embedded Swift), on this
machine, without a voice, while it counts a film of 640 x 480 with coins in it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

import cv2

from peers.players import OURS, Player, PlayerError

REPOSITORY = Path(__file__).resolve().parents[2]
MIB = 1 << 20
BUDGETS = {
    # As MemoryTests has it.
    "model and finder": 2 * MIB,
    # Without the voice, whose libraries are loaded, and used by another process.
    "receh run, resident": 8 * MIB,
    # All that the loop keeps besides the finder's memory lies on its stack, once; what is more than
    # the half a megabyte of that would be copies.
    "stack": 3 * MIB // 4,
}
FRAMES = 60


def film_frames() -> tuple[bytes, bytes]:
    """The header and one frame of a YUV4MPEG2 film of the renderer's tray."""
    image = cv2.imread(str(REPOSITORY / "toolchain/renderer/tray.jpg"))
    image = cv2.resize(image, (640, 480), interpolation=cv2.INTER_AREA)
    samples = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
    return b"YUV4MPEG2 W640 H480 F25:1 Ip A1:1 C420jpeg\n", b"FRAME\n" + samples.tobytes()


def resident(receh: Path) -> dict[str, int]:
    """Bytes of the command's resident set after many frames: in all, by kind and by file."""
    header, frame = film_frames()
    command = [str(receh), "run", "--source", "/dev/stdin", "--no-voice", "--json", "--fps", "50"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    if process.stdin is None:
        raise SystemExit("memory: receh has no input")
    try:
        process.stdin.write(header)
        for _ in range(FRAMES):
            process.stdin.write(frame)
        process.stdin.flush()
        # It is two frames ahead at most: it has counted nearly all by now.
        time.sleep(0.5)
        maps = Path(f"/proc/{process.pid}/smaps").read_text()
    except BrokenPipeError as error:
        raise SystemExit(f"memory: {receh} run has ended too soon") from error
    finally:
        process.stdin.close()
        process.wait(timeout=60)
    found: dict[str, int] = {"all": 0, "own": 0}
    name = ""
    for line in maps.splitlines():
        if re.match(r"^[0-9a-f]+-[0-9a-f]+ ", line):
            fields = line.split(maxsplit=5)
            name = fields[5] if len(fields) > 5 else "(anonymous)"
        elif line.startswith("Rss:"):
            size = int(line.split()[1]) * 1024
            found["all"] += size
            found[Path(name).name] = found.get(Path(name).name, 0) + size
        elif line.startswith(("Private_Dirty:", "Private_Clean:")):
            found["own"] += int(line.split()[1]) * 1024
    return found


def linked(path: str) -> set[str]:
    """The libraries a binary or library loads, by name."""
    listing = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"=> (/\S+)", listing))


def voice_libraries(receh: Path) -> set[str]:
    """Names of the libraries that the command loads for its voice alone."""
    listing = subprocess.run(
        ["readelf", "-d", str(receh)], capture_output=True, text=True, check=True
    ).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", listing)
    paths = {Path(path).name: path for path in linked(str(receh))}
    voice: set[str] = set()
    others: set[str] = set()
    for name in needed:
        if name not in paths:
            continue
        group = {paths[name], *linked(paths[name])}
        if name.startswith(("libespeak-ng", "libasound")):
            voice |= group
        else:
            others |= group
    return {Path(path).resolve().name for path in voice - others}


def sections(binary: Path) -> dict[str, int]:
    """Bytes of code, constants and data of a binary."""
    listing = subprocess.run(
        ["size", "-A", str(binary)], capture_output=True, text=True, check=True
    ).stdout
    sizes = {}
    for line in listing.splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[1].isdigit():
            sizes[fields[0]] = int(fields[1])
    return sizes


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        prog="Benchmarks/memory",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    model = REPOSITORY / "Sources/CModel/receh.model"
    add("--check", action="store_true", help="exit with 1 when a budget is exceeded")
    add("--receh", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    binary = REPOSITORY / ".build/release/engine-benchmark"
    try:
        player = Player(OURS, [str(binary), str(model), "--serve"], "", Path("/dev/null"))
        finder = int(player.ask("finder"))
        networks = {
            name: [int(word) for word in player.ask(f"memory {name}").split()]
            for name in ("detector", "refiner", "classifier")
        }
        kernels = player.greeting
        player.close()
    except PlayerError as error:
        print(f"memory: {error}", file=sys.stderr)
        return 1
    size = model.stat().st_size
    parts = sections(options.receh)
    live = resident(options.receh)
    arena = max(need[1] for need in networks.values())
    print(f"Bytes, with {kernels} kernels:")
    for name, (constants, own) in networks.items():
        print(f"  {name}: packed weights {constants:,}, arena {own:,}")
    print(f"  arena, shared by all: {arena:,}")
    print(f"  finder (weights, arena, patch, tables): {finder:,}")
    print(f"  model file: {size:,}")
    print(f"  code of receh: {parts.get('.text', 0):,}")
    constants = parts.get(".rodata", 0)
    print(f"  constants of receh without the model: {max(0, constants - size):,}")
    print(f"Resident, receh run: {live['all']:,}, of which its own alone: {live['own']:,}")
    for name, amount in sorted(live.items(), key=lambda item: -item[1]):
        if name not in ("all", "own") and amount >= 64 << 10:
            print(f"  {name}: {amount:,}")
    voice = voice_libraries(options.receh)
    spoken = sum(amount for name, amount in live.items() if name in voice)
    print(f"  libraries of the voice, which speaks in a process of its own: {spoken:,}")
    exceeded = []
    # The model's pages are given back once its weights are packed: what of it is resident counts.
    measured = {
        "model and finder": finder,
        "receh run, resident": live["all"] - spoken,
        "stack": live["[stack]"],
    }
    for name, amount in measured.items():
        budget = BUDGETS[name]
        print(f"{name}: {amount / MIB:.2f} MiB of {budget / MIB:.2f} MiB")
        if amount > budget:
            exceeded.append(name)
    for name in exceeded:
        print(f"not reached: {name}")
    return 1 if options.check and exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
