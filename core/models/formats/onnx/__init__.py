"""ONNX files: checked, run with onnxruntime, converted to torch for gradients."""
