"""Arrays come back from bytes as NumPy itself reads them."""

import io

import numpy as np
import pytest

from core.base.arrays import read_array, write_array

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    "array",
    [
        *(np.zeros(0), np.zeros((0, 3), order="F"), np.ones(()), RNG.random((4, 5)), np.array(["a", "bcd"])),
        *(np.asfortranarray(RNG.random((2, 3, 4))), RNG.random((2, 6))[:, ::2], np.arange(3, dtype=">i4")),
    ],
)
def test_an_array_comes_back_as_numpy_reads_it_and_may_be_written(array: np.ndarray) -> None:
    written = write_array(array)
    for _ in range(2):
        ours, numpys = read_array(written), np.lib.format.read_array(io.BytesIO(written))
        assert (ours.dtype, ours.shape, ours.flags.f_contiguous) == (
            numpys.dtype,
            numpys.shape,
            numpys.flags.f_contiguous,
        )
        assert ours.tobytes() == numpys.tobytes() == array.tobytes()
        ours[...] = ours[...]


def test_a_header_that_was_read_before_makes_no_shorter_array_whole() -> None:
    written = write_array(np.arange(4.0))
    read_array(written)
    for damaged in (written[:-1], written + b"x", written[:9], written[:3]):
        with pytest.raises(ValueError, match=r"array|magic"):
            read_array(damaged)
