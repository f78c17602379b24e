"""The published networks of the gradient-flow paper, brought as weights files, have the published losses."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.base.files import FileStore
from core.data.dataset import Dataset, Roles
from core.data.encoder import Encoder, NumericColumn
from core.models import TorchMLP


@pytest.mark.parametrize("network", ["baseline", "project", "sensr"])
def test_losses_of_the_published_adult_networks(network: str, real_data: Path, files: FileStore) -> None:
    import torch
    from safetensors.torch import save

    published = np.load(real_data / "reference" / "adult_51668.npz")
    features = tuple(f"x{i}" for i in range(39))
    table = pd.DataFrame(published["x"], columns=list(features)).assign(
        income=published["y"].astype(int), gender=published["gender"].astype(int)
    )
    dataset = Dataset.build(table, Roles(outcome="income", favourable="1", protected=("gender",), features=features))
    tensors = {part: torch.from_numpy(published[f"{network}_{part}"]) for part in ("W1", "b1", "W2", "b2")}
    model = TorchMLP(
        file=files.put(save(tensors), f"{network}.safetensors"),
        encoder=Encoder(columns=tuple(NumericColumn(name=name) for name in features)),
    ).load(files, dataset)
    data = model.encode(dataset)
    losses = -np.log(model.predict_proba(data)[np.arange(len(data)), data.y])
    np.testing.assert_allclose(losses, published[f"{network}_loss0_f64"], rtol=1e-9, atol=1e-12)
