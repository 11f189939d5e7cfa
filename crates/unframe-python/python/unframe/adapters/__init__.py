"""unframe inside other people's pipelines: `unframe.adapters.datatrove`, `.scrapy`, `.ray`, `.nemo_curator`, `.archivebox`."""

from __future__ import annotations

from pathlib import Path
from typing import Union

from .. import InputError, Model

Models = Union[str, Path, Model]


def load(model: Models) -> Model:
    """The model of a file, or of all files of a folder together."""
    if isinstance(model, Model):
        return model
    path = Path(model)
    if not path.is_dir():
        return Model.load(path)
    files = sorted(path.glob("*.model"))
    if not files:
        raise InputError(f"{path}: there are no model files in this folder: run `unframe learn`, and save to files that end in .model")
    merged = Model.load(files[0])
    for file in files[1:]:
        merged.merge(Model.load(file))
    return merged
