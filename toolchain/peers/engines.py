"""Each peer engine behind one interface: load a network, run it, give its outputs as numbers.

All run on one thread, with the settings their documentation recommends for speed.
"""

from __future__ import annotations

import importlib.metadata
from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.graph import Graph
from training.integer_reference import dequantise


class Engine(ABC):
    """A network loaded into one engine. `set_input` is outside what is timed, `run` inside."""

    package = ""

    def __init__(self, graph: Graph, folder: Path) -> None:
        self.graph = graph
        self.outputs = [graph.tensors[index] for index in graph.outputs.values()]
        self.load(folder / graph.name)

    @classmethod
    def version(cls) -> str:
        """The installed version of the engine's package."""
        return importlib.metadata.version(cls.package)

    @abstractmethod
    def load(self, path: Path) -> None:
        """Loads the network from `path` with the engine's ending."""

    @abstractmethod
    def set_input(self, pixels: NDArray[np.int8]) -> None:
        """Puts one picture, height x width x 3, where the engine wants it."""

    @abstractmethod
    def run(self) -> None:
        """Computes the outputs."""

    @abstractmethod
    def results(self) -> list[NDArray[np.float32]]:
        """The outputs in the graph's order, height x width x channels, as real numbers."""


def _as_bytes(pixels: NDArray[np.int8]) -> NDArray[np.uint8]:
    """NHWC int8 as NCHW uint8."""
    values = pixels.view(np.uint8) ^ np.uint8(128)
    return np.ascontiguousarray(values.transpose(2, 0, 1)[None])


class OnnxRuntime(Engine):
    """ONNX Runtime on the QDQ model, inputs and outputs bound in advance."""

    package = "onnxruntime"

    def load(self, path: Path) -> None:
        """Loads the .onnx file."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        self.session = onnxruntime.InferenceSession(
            str(path.with_suffix(".onnx")), options, providers=["CPUExecutionProvider"]
        )
        values = onnxruntime.OrtValue
        self.binding = self.session.io_binding()
        source = self.session.get_inputs()[0]
        self.bound = values.ortvalue_from_numpy(np.zeros(source.shape, np.uint8))
        self.binding.bind_ortvalue_input(source.name, self.bound)
        self.buffers = []
        for output in self.session.get_outputs():
            buffer = values.ortvalue_from_numpy(np.zeros(output.shape, np.uint8))
            self.binding.bind_ortvalue_output(output.name, buffer)
            self.buffers.append(buffer)

    def set_input(self, pixels: NDArray[np.int8]) -> None:
        """Copies the picture into the bound input."""
        self.bound.update_inplace(_as_bytes(pixels))

    def run(self) -> None:
        """Runs into the bound outputs."""
        self.session.run_with_iobinding(self.binding)

    def results(self) -> list[NDArray[np.float32]]:
        """The bound outputs."""
        return _from_bytes(self, [buffer.numpy() for buffer in self.buffers])


def _from_bytes(engine: Engine, values: list[NDArray[np.uint8]]) -> list[NDArray[np.float32]]:
    found = []
    for tensor, value in zip(engine.outputs, values, strict=True):
        plain = (value[0].astype(np.int16) - 128).transpose(1, 2, 0)
        found.append(dequantise(tensor, plain))
    return found


class OpenVino(Engine):
    """OpenVINO on the same QDQ model."""

    package = "openvino"

    def load(self, path: Path) -> None:
        """Compiles the .onnx file for the processor."""
        import openvino

        self.core = openvino.Core()
        hints = {
            "INFERENCE_NUM_THREADS": 1,
            "NUM_STREAMS": 1,
            "PERFORMANCE_HINT": "LATENCY",
            "ENABLE_CPU_PINNING": False,
        }
        model = self.core.read_model(path.with_suffix(".onnx"))
        self.request = self.core.compile_model(model, "CPU", hints).create_infer_request()
        self.tensor = openvino.Tensor

    def set_input(self, pixels: NDArray[np.int8]) -> None:
        """Sets the picture."""
        self.pixels = _as_bytes(pixels)
        self.request.set_input_tensor(self.tensor(self.pixels, shared_memory=True))

    def run(self) -> None:
        """Runs the request, waiting for it."""
        self.request.infer()

    def results(self) -> list[NDArray[np.float32]]:
        """The request's outputs."""
        count = len(self.outputs)
        return _from_bytes(self, [self.request.get_output_tensor(i).data for i in range(count)])


class LiteRt(Engine):
    """LiteRT with its default XNNPACK delegate."""

    package = "ai-edge-litert"

    def load(self, path: Path) -> None:
        """Loads the .tflite file."""
        from ai_edge_litert.interpreter import Interpreter

        self.interpreter = Interpreter(str(path.with_suffix(".tflite")), num_threads=1)
        self.interpreter.allocate_tensors()
        self.ports = self.interpreter.get_output_details()

    def set_input(self, pixels: NDArray[np.int8]) -> None:
        """Copies the picture into the input."""
        place = self.interpreter.get_input_details()[0]["index"]
        self.interpreter.set_tensor(place, pixels[None])

    def run(self) -> None:
        """Invokes the interpreter."""
        self.interpreter.invoke()

    def results(self) -> list[NDArray[np.float32]]:
        """Copies of the outputs."""
        values = [self.interpreter.get_tensor(port["index"])[0] for port in self.ports]
        return [dequantise(t, v) for t, v in zip(self.outputs, values, strict=True)]


class TfliteMicro(Engine):
    """TFLite Micro's interpreter, which has plain kernels on x86-64."""

    package = "tflite-micro"

    def load(self, path: Path) -> None:
        """Loads the .tflite file."""
        from tflite_micro.python.tflite_micro import runtime

        self.interpreter = runtime.Interpreter.from_file(
            str(path.with_suffix(".tflite")), arena_size=8 << 20
        )

    def set_input(self, pixels: NDArray[np.int8]) -> None:
        """Keeps the picture: the interpreter forgets its input when run."""
        self.interpreter.set_input(np.ascontiguousarray(pixels[None]), 0)

    def run(self) -> None:
        """Invokes the interpreter."""
        self.interpreter.invoke()

    def results(self) -> list[NDArray[np.float32]]:
        """The outputs."""
        values = [self.interpreter.get_output(i)[0] for i in range(len(self.outputs))]
        return [dequantise(t, v) for t, v in zip(self.outputs, values, strict=True)]


class Ncnn(Engine):
    """ncnn with int8 inference; a new extractor each run, as its interface wants."""

    package = "ncnn"

    def load(self, path: Path) -> None:
        """Loads the .param and .bin files."""
        import ncnn

        self.ncnn = ncnn
        self.net = ncnn.Net()
        self.net.opt.num_threads = 1
        self.net.opt.use_int8_inference = True
        self.net.opt.use_packing_layout = True
        self.net.opt.use_vulkan_compute = False
        for ending, load in ((".param", self.net.load_param), (".bin", self.net.load_model)):
            if load(str(path.with_suffix(ending))) != 0:
                raise RuntimeError(f"ncnn refuses {path.with_suffix(ending)}")
        self.name = next(iter(self.graph.inputs))

    def set_input(self, pixels: NDArray[np.int8]) -> None:
        """Makes the picture ncnn's own, as its examples do."""
        height, width = pixels.shape[:2]
        values = np.ascontiguousarray(pixels.view(np.uint8) ^ np.uint8(128))
        kind = self.ncnn.Mat.PixelType.PIXEL_RGB
        self.pixels = self.ncnn.Mat.from_pixels(values, kind, width, height)
        self.pixels.substract_mean_normalize([128.0] * 3, [1 / 128] * 3)

    def run(self) -> None:
        """Runs all outputs."""
        extractor = self.net.create_extractor()
        extractor.input(self.name, self.pixels)
        self.found = [extractor.extract(f"out{i}")[1] for i in range(len(self.outputs))]

    def results(self) -> list[NDArray[np.float32]]:
        """The outputs, channels last."""
        found = []
        for tensor, value in zip(self.outputs, self.found, strict=True):
            values = np.array(value).reshape(tensor.channels, tensor.height, tensor.width)
            found.append(values.transpose(1, 2, 0).astype(np.float32))
        return found


ENGINES: dict[str, type[Engine]] = {
    "LiteRT (XNNPACK)": LiteRt,
    "ncnn": Ncnn,
    "ONNX Runtime": OnnxRuntime,
    "OpenVINO": OpenVino,
    "TFLite Micro": TfliteMicro,
}
