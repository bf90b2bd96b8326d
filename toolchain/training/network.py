"""Networks declared once, as a list of nodes, for training, quantisation and export.

A `NetworkSpec` names the nodes; `TrainableNetwork` runs them in PyTorch with batch
normalisation; `TrainableNetwork.folded()` gives the `FoldedNetwork` with normalisation folded
into the convolutions, which can be calibrated, run with simulated int8 arithmetic, fine-tuned
in that state and exported by `training.quantise`.

Pixels enter as (pixel - 128) / 128. Tensors here are NCHW as PyTorch likes them; the exported
graph is NHWC.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Node:
    """One operator: what it does, what it reads, and its output (height, width, channels)."""

    name: str
    operator: str  # input, conv, add, upsample, average
    inputs: tuple[str, ...]
    shape: tuple[int, int, int]
    kernel: tuple[int, int] = (1, 1)
    stride: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)  # rows above and below, columns left and right
    circular: bool = False  # columns wrap around instead of being padded with zero
    groups: int = 1
    relu: bool = False
    normalised: bool = False


@dataclass
class NetworkSpec:
    """A network under construction: every method appends a node and returns its name."""

    name: str
    input_shape: tuple[int, int, int]
    circular: bool = False
    nodes: list[Node] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.nodes.append(Node("input", "input", (), self.input_shape))

    def node(self, name: str) -> Node:
        """The node called `name`."""
        return next(node for node in self.nodes if node.name == name)

    def conv(
        self,
        source: str,
        channels: int,
        kernel: int | tuple[int, int] = 3,
        stride: int | tuple[int, int] = 1,
        *,
        relu: bool = True,
        normalised: bool = True,
        depthwise: bool = False,
        same: bool = True,
        name: str | None = None,
    ) -> str:
        """A convolution; `same` pads by half the kernel, otherwise nothing is padded in height.

        In a circular network the columns always wrap by half the kernel.
        """
        kernel = (kernel, kernel) if isinstance(kernel, int) else kernel
        stride = (stride, stride) if isinstance(stride, int) else stride
        height, width, source_channels = self.node(source).shape
        pad_columns = kernel[1] // 2 if same or self.circular else 0
        padding = (kernel[0] // 2 if same else 0, pad_columns)
        shape = (
            (height + 2 * padding[0] - kernel[0]) // stride[0] + 1,
            (width + 2 * padding[1] - kernel[1]) // stride[1] + 1,
            channels,
        )
        if depthwise and channels != source_channels:
            raise ValueError(f"{self.name}: a depthwise convolution keeps its channels")
        return self._append(
            Node(
                name or f"conv{len(self.nodes)}",
                "conv",
                (source,),
                shape,
                kernel,
                stride,
                padding,
                self.circular and kernel[1] > 1,
                source_channels if depthwise else 1,
                relu,
                normalised,
            )
        )

    def add(self, a: str, b: str, *, relu: bool = False) -> str:
        """The sum of two tensors of one shape."""
        shape = self.node(a).shape
        if shape != self.node(b).shape:
            raise ValueError(f"{self.name}: add of {shape} and {self.node(b).shape}")
        return self._append(Node(f"add{len(self.nodes)}", "add", (a, b), shape, relu=relu))

    def residual(self, source: str) -> str:
        """Two 3x3 convolutions around which the input is added."""
        channels = self.node(source).shape[2]
        inner = self.conv(self.conv(source, channels), channels, relu=False)
        return self.add(source, inner, relu=True)

    def upsample(self, source: str) -> str:
        """Every pixel doubled in height and width."""
        height, width, channels = self.node(source).shape
        shape = (2 * height, 2 * width, channels)
        return self._append(Node(f"upsample{len(self.nodes)}", "upsample", (source,), shape))

    def average(self, source: str) -> str:
        """The mean over all rows and columns."""
        shape = (1, 1, self.node(source).shape[2])
        return self._append(Node(f"average{len(self.nodes)}", "average", (source,), shape))

    def output(self, name: str, source: str) -> None:
        """Publishes a node's tensor under a name the product looks up."""
        self.outputs[name] = source

    def _append(self, node: Node) -> str:
        self.nodes.append(node)
        return node.name

    def macs(self) -> int:
        """Multiply-accumulates of one run."""
        total = 0
        for node in self.nodes:
            if node.operator == "conv":
                height, width, channels = node.shape
                depth = self.node(node.inputs[0]).shape[2] // node.groups
                total += height * width * channels * depth * node.kernel[0] * node.kernel[1]
        return total

    def weights(self) -> int:
        """Bytes of int8 weights."""
        return sum(
            node.shape[2]
            * node.kernel[0]
            * node.kernel[1]
            * (self.node(node.inputs[0]).shape[2] // node.groups)
            for node in self.nodes
            if node.operator == "conv"
        )


class _WrapColumns(torch.autograd.Function):
    """Circular padding of the columns: PyTorch's own takes a third of a training step."""

    @staticmethod
    def forward(ctx, x: Tensor, columns: int) -> Tensor:
        ctx.columns = columns
        return torch.cat((x[..., -columns:], x, x[..., :columns]), dim=3)

    @staticmethod
    def backward(ctx, gradient: Tensor) -> tuple[Tensor, None]:
        columns = ctx.columns
        inner = gradient[..., columns:-columns].clone(memory_format=torch.channels_last)
        inner[..., -columns:] += gradient[..., :columns]
        inner[..., :columns] += gradient[..., -columns:]
        return inner, None


def convolve(node: Node, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """The convolution of `node`, with its padding."""
    rows, columns = node.padding
    if node.circular and columns:
        x = _WrapColumns.apply(x, columns)
        columns = 0
    return functional.conv2d(x, weight, bias, node.stride, (rows, columns), 1, node.groups)


def run_plain(node: Node, inputs: list[Tensor]) -> Tensor:
    """Every operator without weights."""
    if node.operator == "add":
        total = inputs[0] + inputs[1]
        return functional.relu(total) if node.relu else total
    if node.operator == "upsample":
        return functional.interpolate(inputs[0], scale_factor=2, mode="nearest")
    if node.operator == "average":
        return inputs[0].mean(dim=(2, 3), keepdim=True)
    raise ValueError(f"unknown operator {node.operator}")


def _weight_shape(spec: NetworkSpec, node: Node) -> tuple[int, int, int, int]:
    depth = spec.node(node.inputs[0]).shape[2] // node.groups
    return (node.shape[2], depth, node.kernel[0], node.kernel[1])


class TrainableNetwork(nn.Module):
    """The network in floating point, with batch normalisation after the convolutions."""

    def __init__(self, spec: NetworkSpec) -> None:
        super().__init__()
        self.spec = spec
        self.weight = nn.ParameterDict()
        self.bias = nn.ParameterDict()
        self.norm = nn.ModuleDict()
        for node in spec.nodes:
            if node.operator != "conv":
                continue
            weight = torch.empty(_weight_shape(spec, node))
            nn.init.kaiming_normal_(weight, nonlinearity="relu" if node.relu else "linear")
            self.weight[node.name] = nn.Parameter(weight)
            if node.normalised:
                self.norm[node.name] = nn.BatchNorm2d(node.shape[2], momentum=0.03)
            else:
                self.bias[node.name] = nn.Parameter(torch.zeros(node.shape[2]))

    def forward(self, pixels: Tensor) -> dict[str, Tensor]:
        """Runs a batch [N, 3, H, W] of (pixel - 128) / 128; gives each named output."""
        values = {"input": pixels}
        for node in self.spec.nodes[1:]:
            inputs = [values[name] for name in node.inputs]
            if node.operator == "conv":
                bias = None if node.normalised else self.bias[node.name]
                x = convolve(node, inputs[0], self.weight[node.name], bias)
                if node.normalised:
                    x = self.norm[node.name](x)
                values[node.name] = functional.relu_(x) if node.relu else x
            else:
                values[node.name] = run_plain(node, inputs)
        return {name: values[source].float() for name, source in self.spec.outputs.items()}

    def folded(self) -> FoldedNetwork:
        """The same network with batch normalisation folded into weights and biases."""
        weights, biases = {}, {}
        for node in self.spec.nodes:
            if node.operator != "conv":
                continue
            weight = self.weight[node.name].detach().clone().float()
            if node.normalised:
                norm = self.norm[node.name]
                gain = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
                weights[node.name] = weight * gain[:, None, None, None]
                biases[node.name] = norm.bias.detach() - norm.running_mean * gain
            else:
                weights[node.name] = weight
                biases[node.name] = self.bias[node.name].detach().clone().float()
        return FoldedNetwork(self.spec, weights, biases)


class _FakeQuantise(torch.autograd.Function):
    """Rounds to the grid in the forward pass; lets gradients through inside the range."""

    @staticmethod
    def forward(ctx, x: Tensor, scale: Tensor, zero: Tensor, low: int, high: int) -> Tensor:
        q = torch.round(x / scale) + zero
        ctx.save_for_backward((q >= low) & (q <= high))
        return (torch.clamp(q, low, high) - zero) * scale

    @staticmethod
    def backward(ctx, gradient: Tensor) -> tuple[Tensor | None, ...]:
        (inside,) = ctx.saved_tensors
        return gradient * inside, None, None, None, None


class FoldedNetwork(nn.Module):
    """Convolutions with biases only; runs in float, or with int8 arithmetic simulated.

    `ranges` holds the smallest and largest value of each tensor once `calibrate` has run.
    """

    def __init__(
        self, spec: NetworkSpec, weights: dict[str, Tensor], biases: dict[str, Tensor]
    ) -> None:
        super().__init__()
        self.spec = spec
        self.weight = nn.ParameterDict({k: nn.Parameter(v) for k, v in weights.items()})
        self.bias = nn.ParameterDict({k: nn.Parameter(v) for k, v in biases.items()})
        self.ranges: dict[str, tuple[float, float]] = {}
        self.simulate_int8 = False

    def values(self, pixels: Tensor) -> dict[str, Tensor]:
        """Every node's tensor for a batch."""
        values = {"input": pixels}
        for node in self.spec.nodes[1:]:
            inputs = [values[name] for name in node.inputs]
            if node.operator == "conv":
                weight = self.weight[node.name]
                if self.simulate_int8:
                    scale = weight_scales(weight)[:, None, None, None]
                    weight = _FakeQuantise.apply(weight, scale, torch.zeros(()), -127, 127)
                x = convolve(node, inputs[0], weight, self.bias[node.name])
                x = functional.relu(x) if node.relu else x
            else:
                x = run_plain(node, inputs)
            if self.simulate_int8 and node.operator != "upsample":
                scale, zero = self.grid(node.name)
                x = _FakeQuantise.apply(
                    x, torch.tensor(scale), torch.tensor(float(zero)), -128, 127
                )
            values[node.name] = x
        return values

    def forward(self, pixels: Tensor) -> dict[str, Tensor]:
        """Runs a batch; gives each named output."""
        values = self.values(pixels)
        return {name: values[source].float() for name, source in self.spec.outputs.items()}

    def grid(self, name: str) -> tuple[float, int]:
        """Scale and zero point of a node's int8 tensor."""
        node = self.spec.node(name)
        if node.operator == "input":
            return 1 / 128, 0
        if node.operator == "upsample":
            return self.grid(node.inputs[0])
        low, high = self.ranges[name]
        low, high = min(low, 0.0), max(high, 1e-3)
        scale = (high - low) / 255
        return scale, max(-128, min(127, round(-128 - low / scale)))

    @torch.no_grad()
    def calibrate(self, batches: list[Tensor], quantile: float = 0.9999) -> None:
        """Learns each tensor's range from representative batches.

        The tails beyond `quantile` are cut: a few outliers would coarsen the grid for all
        other values. Outputs keep their full range.
        """
        lows: dict[str, list[float]] = {}
        highs: dict[str, list[float]] = {}
        simulate, self.simulate_int8 = self.simulate_int8, False
        outputs = set(self.spec.outputs.values())
        for batch in batches:
            for name, value in self.values(batch).items():
                flat = value.float().flatten()
                if name in outputs:
                    low, high = flat.min().item(), flat.max().item()
                else:
                    step = max(1, flat.numel() // 1_000_000)
                    ordered = flat[::step].sort().values
                    cut = int((1 - quantile) * (ordered.numel() - 1))
                    low, high = ordered[cut].item(), ordered[-1 - cut].item()
                lows.setdefault(name, []).append(low)
                highs.setdefault(name, []).append(high)
        self.simulate_int8 = simulate
        for name, low_values in lows.items():
            high_values = highs[name]
            if name in outputs:
                self.ranges[name] = (min(low_values), max(high_values))
            else:
                self.ranges[name] = (
                    sum(low_values) / len(low_values),
                    sum(high_values) / len(high_values),
                )


def weight_scales(weight: Tensor) -> Tensor:
    """Symmetric scale of each output channel: its largest weight is 127 steps."""
    return weight.detach().abs().amax(dim=(1, 2, 3)).clamp_min(1e-8) / 127
