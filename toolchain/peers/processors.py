"""What emulated programs read of a board's processor.

LiteRT and ONNX Runtime read it, and stop with a fault when they find the emulating machine's
instead.
"""

from __future__ import annotations

from pathlib import Path

# What the kernel of a board says in /proc/cpuinfo.
CPUINFO = """processor\t: 0
BogoMIPS\t: 38.40
Features\t: {features}
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: {variant}
CPU part\t: {part}
CPU revision\t: {revision}
"""
CPUS = {
    "cortex-a53": {
        "features": "fp asimd evtstrm crc32 cpuid", "part": "0xd03", "variant": "0x0",
        "revision": "4",
    },
    "cortex-a76": {
        "features": "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid "
        "asimdrdm lrcpc dcpop asimddp",
        "part": "0xd0b", "variant": "0x4", "revision": "1",
    },
}


def write_processor(root: Path, core: str) -> None:
    """Writes what programs read of the processor where the emulator looks before the machine."""
    (root / "proc").mkdir(exist_ok=True)
    (root / "proc/cpuinfo").write_text(CPUINFO.format(**CPUS[core]))
    processors = root / "sys/devices/system/cpu"
    processors.mkdir(parents=True, exist_ok=True)
    for name in ("possible", "present"):
        (processors / name).write_text("0\n")
