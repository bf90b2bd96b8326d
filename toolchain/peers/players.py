"""The processes that take part: ours and one for each peer, each asked in turn."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

OURS = "Receh"


class PlayerError(RuntimeError):
    """A process that did not start or gave no answer."""


class Player:
    """A process that answers questions on its standard input.

    Answers begin with `mark`; other lines are the engine's own talk and are passed over.
    """

    def __init__(self, name: str, command: list[str], mark: str, log: Path) -> None:
        self.name, self.mark, self.log = name, mark, log
        with log.open("w") as errors:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                bufsize=1,
            )
        self.greeting = self._line().removeprefix("ready ")

    def ask(self, question: str) -> str:
        """The answer to a question."""
        if self.process.stdin is None:
            raise PlayerError(f"{self.name}: has no input")
        try:
            self.process.stdin.write(question + "\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise PlayerError(f"{self.name}: has ended: see {self.log}") from error
        answer = self._line()
        if answer.startswith("error"):
            raise PlayerError(f"{self.name}: {answer}")
        return answer

    def numbers(self, question: str) -> list[float]:
        """The answer to a question that is answered by numbers."""
        return [float(word) for word in self.ask(question).split()]

    def close(self) -> None:
        """Ends the process."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait(timeout=60)

    def _line(self) -> str:
        if self.process.stdout is None:
            raise PlayerError(f"{self.name}: has no output")
        for line in self.process.stdout:
            if line.startswith(self.mark):
                return line.removeprefix(self.mark).rstrip("\n")
        raise PlayerError(f"{self.name}: has ended without an answer: see {self.log}")


def start(
    engines: list[str], binary: Path, model: Path, exported: Path, logs: Path
) -> dict[str, Player]:
    """Starts our process and the engines', all kept on the last processor there is."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    players = {OURS: Player(OURS, [str(binary), str(model), "--serve"], "", logs / "receh.log")}
    for number, name in enumerate(engines):
        command = [sys.executable, "-m", "peers.worker", name, str(model), str(exported)]
        players[name] = Player(name, command, "@", logs / f"peer{number}.log")
    return players
