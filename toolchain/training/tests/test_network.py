"""The training network's own operators beside PyTorch's."""

import pytest

torch = pytest.importorskip("torch")

from torch.nn import functional  # noqa: E402

from training.network import NetworkSpec, TrainableNetwork, convolve  # noqa: E402


def circular_spec(kernel: tuple[int, int]) -> NetworkSpec:
    """One circular convolution of a small picture."""
    spec = NetworkSpec("circle", (6, 10, 3), circular=True)
    spec.output("out", spec.conv("input", 4, kernel))
    return spec


@pytest.mark.parametrize("kernel", [(3, 3), (1, 5), (5, 7)])
def test_a_circular_convolution_and_its_gradient_equal_pytorchs_padding(
    kernel: tuple[int, int],
) -> None:
    torch.manual_seed(3)
    node = circular_spec(kernel).nodes[1]
    weight = torch.randn(4, 3, *kernel)
    ours = torch.randn(2, 3, 6, 10).requires_grad_()
    theirs = ours.detach().clone().requires_grad_()
    rows, columns = node.padding
    padded = functional.pad(theirs, (columns, columns, 0, 0), mode="circular")
    wanted = functional.conv2d(padded, weight, None, 1, (rows, 0))
    given = convolve(node, ours, weight, None)
    assert torch.allclose(given, wanted, atol=1e-5)
    given.square().sum().backward()
    wanted.square().sum().backward()
    assert torch.allclose(ours.grad, theirs.grad, rtol=1e-4, atol=1e-4)


def test_a_turned_picture_gives_turned_activations() -> None:
    torch.manual_seed(4)
    network = TrainableNetwork(circular_spec((3, 3))).eval()
    pixels = torch.randn(2, 3, 6, 10)
    straight = network(pixels)["out"]
    turned = network(pixels.roll(4, dims=3))["out"]
    assert torch.allclose(straight.roll(4, dims=3), turned, atol=1e-5)
