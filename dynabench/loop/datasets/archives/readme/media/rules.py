"""What a page says of pictures and sounds: where they are, how one is opened, what is left out."""

from dynabench.loop.datasets.archives.columns.types.rules import PICTURE
from dynabench.loop.datasets.archives.columns.values import Column, Form
from dynabench.loop.datasets.archives.making.values import Subject
from dynabench.loop.datasets.archives.media.rules import FOLDER, LIST
from dynabench.loop.datasets.archives.media.values import MOST_BYTES, MOST_FILES
from dynabench.loop.datasets.archives.readme.wording.rules import count, table

_MEGABYTE = 1 << 20
_GIGABYTE = 1 << 30
_THERE = """\
Each is there once, in the folder `{folder}`, called by the SHA-256 of its bytes; `{listed}` lists
them. A row has the path of its file, which leads from this folder. In the JSON lines these paths
stand under `media`, beside the digests in the values."""
_PICTURE = """\
```python
from datasets import Image, load_dataset

folder = "path/to/this/folder"
data = load_dataset(folder)
data = data.map(lambda row: {{"{column}": f"{{folder}}/{{row['{column}']['path']}}"}})
data = data.cast_column("{column}", Image())
```"""
_SOUND = """\
```python
import soundfile
from datasets import load_dataset

folder = "path/to/this/folder"
row = load_dataset(folder, split="train")[0]
samples, rate = soundfile.read(f"{{folder}}/{{row['{column}']['path']}}")
```"""
_LEFT_OUT = """\
They are not here: at most {most_files} files of {most_size} together are put in. `{listed}` lists
each with its digest, and the paths in the rows are empty. Where this dataset comes from,
`/api/v1/media/` with a digest after it gives the file."""


def media_told(subject: Subject) -> str:
    """Return the section; nothing where no item can name a file."""
    media = subject.media
    columns = [one for one in subject.columns if one.form is Form.MEDIA]
    if media is None:
        return ""
    if not media.files:
        return "No item names any."
    rows = [(one, count(number)) for one, number in media.types.items()]
    told = [
        f"{count(media.files)} files, {_size(media.size_bytes)} together.",
        *(_opened(columns) if media.are_included else [_left_out()]),
        table(["type", "files"], rows),
    ]
    return "\n\n".join(told)


def _opened(columns: list[Column]) -> list[str]:
    """Tell where they are, and how one of each kind is opened."""
    told = [_THERE.format(folder=FOLDER, listed=LIST)]
    for is_picture, how in ((True, _PICTURE), (False, _SOUND)):
        names = [one.name for one in columns if (one.held == PICTURE) is is_picture]
        told += [how.format(column=names[0])] if names else []
    return told


def _left_out() -> str:
    return _LEFT_OUT.format(most_files=count(MOST_FILES), most_size=_size(MOST_BYTES), listed=LIST)


def _size(size_bytes: int) -> str:
    if size_bytes >= _GIGABYTE:
        return f"{size_bytes / _GIGABYTE:.1f} GiB"
    return f"{size_bytes / _MEGABYTE:.1f} MiB"
