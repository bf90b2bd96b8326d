"""Writes the model file: three trained networks, quantised, with the faces and parameters.

Reads detector.pt, refiner.pt, classifier.pt and likeness.pt from the cache. Each checkpoint carries
what its ranges are calibrated with, and the report says how far int8 strays from float.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
import torch

from training.checkpoints import load_checkpoint
from training.faces import read_faces
from training.folders import REPOSITORY
from training.integer_reference import dequantise, run_graph
from training.likeness import fingerprint, with_likeness
from training.model_file import Graph, Label, write_model
from training.network import FoldedNetwork, TrainableNetwork
from training.quantise import quantise

NETWORKS = ("detector", "refiner", "classifier")


def folded_network(checkpoint: dict) -> FoldedNetwork:
    """The averaged weights of a checkpoint, normalisation folded, ranges calibrated.

    A checkpoint that was fine-tuned with simulated int8 arithmetic holds the folded network.
    """
    if "folded" in checkpoint:
        folded = FoldedNetwork(checkpoint["spec"], checkpoint["weights"], checkpoint["biases"])
        folded.ranges = checkpoint["ranges"]
        return folded.eval()
    network = TrainableNetwork(checkpoint["spec"])
    network.load_state_dict(checkpoint["average"])
    network.eval()
    folded = network.folded().eval()
    folded.calibrate(list(checkpoint["calibration"]))
    return folded


def compare(folded: FoldedNetwork, graph: Graph, pixels: torch.Tensor) -> list[str]:
    """One line for each output: how far the integers are from float on `pixels`."""
    integers = (pixels.permute(0, 2, 3, 1).numpy() * 128).round().clip(-128, 127).astype(np.int8)
    exact = run_graph(graph, {"pixels": integers})
    with torch.no_grad():
        floats = folded(pixels)
    lines = []
    for name, values in exact.items():
        real = dequantise(graph.tensors[graph.outputs[name]], values)
        wanted = floats[name].permute(0, 2, 3, 1).numpy()
        error = np.abs(real - wanted)
        spread = np.percentile(np.abs(wanted), 99)
        lines.append(
            f"  {graph.name}.{name}: int8 differs from float by {error.mean():.4f} on average,"
            f" {error.max():.4f} at most; 99 % of values lie within {spread:.3f}"
        )
    return lines


def read_parameters(path: Path) -> dict[str, float]:
    """The named numbers of parameters.csv."""
    with path.open() as file:
        return {row["name"]: float(row["value"]) for row in csv.DictReader(file)}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="export", description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="folder of the checkpoints")
    parser.add_argument(
        "--output", type=Path, default=REPOSITORY / "Sources" / "CModel" / "receh.model"
    )
    parser.add_argument("--classifier", default="classifier", help="name of its checkpoint")
    parser.add_argument(
        "--without-likeness", action="store_true", help="make a model that cannot be taught coins"
    )
    arguments = parser.parse_args()
    graphs = []
    radii: dict[str, float] = {}
    for name in NETWORKS:
        file = arguments.classifier if name == "classifier" else name
        checkpoint = load_checkpoint(arguments.cache / f"{file}.pt")
        if checkpoint is None:
            parser.error(f"{arguments.cache}/{file}.pt: not there; run toolchain/train first")
        folded = folded_network(checkpoint)
        if name == "classifier" and not arguments.without_likeness:
            branch = load_checkpoint(arguments.cache / "likeness.pt")
            if branch is None or branch["classifier"] != fingerprint(folded):
                parser.error(
                    f"{arguments.cache}/likeness.pt: not there, or of another classifier; run "
                    "training.train_likeness, or export --without-likeness"
                )
            folded = with_likeness(folded, folded_network(branch))
            radii = {f"taught.{key}": branch[key] for key in ("radius", "unsized-radius")}
        graph = quantise(folded)
        print("\n".join(compare(folded, graph, checkpoint["calibration"][0][:16])))
        graphs.append(graph)
        if name == "classifier":
            trained = checkpoint["faces"]
    faces = read_faces()
    if trained != [face.name for face in faces]:
        parser.error("faces.csv has changed since the classifier was trained: train it again")
    labels = [
        Label(f.name, f.value, f.withdrawn, f.kind, f.diameter, f.metal or "none") for f in faces
    ]
    parameters = read_parameters(Path(__file__).parent / "parameters.csv")
    size = write_model(arguments.output, graphs, labels, {**parameters, **radii})
    print(f"{arguments.output}: {size} bytes")


if __name__ == "__main__":
    main()
