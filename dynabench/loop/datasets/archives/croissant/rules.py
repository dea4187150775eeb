"""A version as Croissant 1.0, with the responsible-AI fields that its card can fill."""

from collections.abc import Iterator

from dynabench.engines.row_files.cells import CellType, ListOf, Plain, Record
from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.columns.values import Column
from dynabench.loop.datasets.archives.making.values import Subject
from dynabench.loop.datasets.archives.media.rules import FOLDER
from dynabench.loop.datasets.archives.readme.wording.rules import (
    citation,
    licence_url,
    summary,
    withheld_sentence,
)
from dynabench.loop.datasets.archives.rules import SPLIT_NAMES, slug_of
from dynabench.loop.datasets.archives.values import ArchivedFile
from dynabench.loop.datasets.values import DatasetOrigin, Split
from dynabench.loop.media.rules import file_name, kind_of_type
from dynabench.loop.media.values import MediaKind

# The context that the format's definition prescribes, word for word.
_CONTEXT: Values = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_CONFORMS = ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"]
_TYPES = {
    Plain.TEXT: "sc:Text",
    Plain.NUMBER: "sc:Float",
    Plain.COUNT: "sc:Integer",
    Plain.TRUTH: "sc:Boolean",
}
_PARQUET = "application/x-parquet"
_LINES = "application/jsonlines"
_PER_VERSION = "{}.0.0"
# Of these the format's library shows what is in them.
_SHOWN = frozenset({"image/png", "image/jpeg"})


def croissant(subject: Subject) -> Values:
    """Return a version's description as JSON-LD; its paths lead from where it lies."""
    version = subject.version
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS,
        "name": f"{slug_of(subject.task_slug)}-{slug_of(version.name)}-v{version.version}",
        "description": summary(subject),
        "license": licence_url(version.licence),
        "url": f"urn:sha256:{version.digest}",
        "version": _PER_VERSION.format(version.version),
        "datePublished": version.created_at.date().isoformat(),
        "inLanguage": subject.language,
        "keywords": [subject.task_slug, *version.tags],
        "creator": {"@type": "sc:Organization", "name": "Dynabench"},
        "citeAs": citation(subject),
        "isLiveDataset": False,
        "distribution": [*_distribution(subject)],
        "recordSet": [
            *(_records(split, table, subject) for split, table in subject.tables.items()),
            *_pictures(subject),
        ],
        **_responsible(subject),
    }


def _distribution(subject: Subject) -> Iterator[Values]:
    for files, form in ((subject.tables, _PARQUET), (subject.lines, _LINES)):
        for split, file in files.items():
            yield {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "description": f"The items of {SPLIT_NAMES[split]}.",
                "contentUrl": file.name,
                "contentSize": f"{file.size_bytes} B",
                "encodingFormat": form,
                "sha256": file.sha256,
            }
    if subject.media_list is not None:
        yield {
            "@type": "cr:FileObject",
            "@id": subject.media_list.name,
            "name": subject.media_list.name,
            "description": "The pictures and sounds that items name, one a line.",
            "contentUrl": subject.media_list.name,
            "contentSize": f"{subject.media_list.size_bytes} B",
            "encodingFormat": _LINES,
            "sha256": subject.media_list.sha256,
        }
    for name, types in _media_types(subject).items():
        yield {
            "@type": "cr:FileSet",
            "@id": name,
            "name": name,
            "description": f"The {name} that items name, each once, by the digest of its bytes.",
            "encodingFormat": types,
            "includes": [f"{FOLDER}/{file_name('*', one)}" for one in types],
        }


def _media_types(subject: Subject) -> dict[str, list[str]]:
    """Return the media types of the files in the archive: of pictures, and of sounds."""
    if subject.media is None or not subject.media.are_included:
        return {}
    found: dict[str, list[str]] = {}
    for one in sorted(subject.media.types):
        name = "pictures" if kind_of_type(one) is MediaKind.IMAGE else "sounds"
        found.setdefault(name, []).append(one)
    return found


def _pictures(subject: Subject) -> Iterator[Values]:
    """Give the pictures as records, where there are some that the format's library reads."""
    types = _media_types(subject).get("pictures", [])
    if not _SHOWN.intersection(types):
        return
    yield {
        "@type": "cr:RecordSet",
        "@id": "picture-files",
        "name": "picture-files",
        "description": "The pictures, by the path that a row has for each.",
        "key": {"@id": "picture-files/path"},
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"picture-files/{name}",
                "name": name,
                "description": told,
                "dataType": data_type,
                "source": {"fileSet": {"@id": "pictures"}, "extract": {"fileProperty": extracted}},
            }
            for name, told, data_type, extracted in (
                ("path", "Where it is.", "sc:Text", "fullpath"),
                ("content", "What it shows.", "sc:ImageObject", "content"),
            )
        ],
    }


def _records(split: Split, table: ArchivedFile, subject: Subject) -> Values:
    name = SPLIT_NAMES[split]
    is_withheld = split in subject.withheld
    told = f"The {table.items:,} items of {name}."
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"{told} Their right answers are withheld." if is_withheld else told,
        "key": {"@id": f"{name}/uid"},
        "field": [
            _field(column, name, table) for column in subject.columns if _can_be_told(column.held)
        ],
    }


def _can_be_told(held: CellType) -> bool:
    """Tell whether the format's library reads such a cell: lists of lists of records it does not.

    They occur where spans have several acceptable answers, and are in the files all the same.
    """
    return not (
        isinstance(held, ListOf) and isinstance(held.of, ListOf) and isinstance(held.of.of, Record)
    )


def _field(column: Column, split: str, table: ArchivedFile) -> Values:
    one = _innermost(column.held)
    parts = one.parts if isinstance(one, Record) else ()
    plain = [(name, held) for name, held in parts if isinstance(held, Plain)]
    lists = [name for name, held in parts if not isinstance(held, Plain)]
    told = f" The lists {' and '.join(lists)} are in the table alone." if lists else ""
    field: Values = {
        "@type": "cr:Field",
        "@id": f"{split}/{column.name}",
        "name": column.name,
        "description": column.description + told,
    }
    if isinstance(column.held, ListOf):
        field["repeated"] = True
    source = {"fileObject": {"@id": table.name}, "extract": {"column": column.name}}
    if isinstance(one, Plain):
        return {**field, "dataType": _TYPES[one], "source": source}
    field["subField"] = [
        {
            "@type": "cr:Field",
            "@id": f"{split}/{column.name}/{name}",
            "name": name,
            "description": f"The {name} there.",
            "dataType": _TYPES[held],
            "source": {**source, "transform": {"jsonPath": name}},
        }
        for name, held in plain
    ]
    return field


def _innermost(held: CellType) -> Plain | Record:
    return _innermost(held.of) if isinstance(held, ListOf) else held


def _responsible(subject: Subject) -> Values:
    card, origin = subject.version.card, subject.version.origin
    warning = card.get("content_warning")
    fields: Values = {
        "rai:personalSensitiveInformation": "Annotators are named by pseudonyms that hold "
        "within this dataset. Texts were written by people and may name others.",
        "rai:dataReleaseMaintenancePlan": "A version never changes; a correction is a new one.",
    }
    if withheld := withheld_sentence(subject):
        fields["rai:dataUseCases"] = f"Training and measuring models of this task. {withheld}"
    if isinstance(warning, str) and warning:
        fields["rai:dataSocialImpact"] = f"Content warning: {warning}"
    if origin is DatasetOrigin.RELEASE:
        fields |= {
            "rai:dataCollection": "People wrote examples against models that answered at once, "
            "and tried to have them answer wrongly.",
            "rai:dataCollectionType": ["Manual Human Curator", "Direct measurement"],
            "rai:dataAnnotationProtocol": "Other people judged the examples; the votes that a "
            "quorum shares decide.",
            "rai:dataAnnotationPlatform": "Dynabench",
            "rai:dataBiases": "Dev and test hold what fooled the models of this round alone, so "
            "scores of those models, and of ones like them, are lower here than on other data.",
        }
    elif isinstance(source := card.get("source"), str) and source:
        fields["rai:dataCollection"] = source
    return fields
