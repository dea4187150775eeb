"""spBLEU: BLEU over the pieces of a SentencePiece model, for languages with and without spaces."""

from collections.abc import Callable, Sequence
from importlib import import_module

from dynabench.kit.errors import UnavailableError
from dynabench.science.metrics.bleu import score_tokens
from dynabench.science.metrics.values import Answer, Gold, Metric, MetricResult

MODEL_URL = "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model"
"""Where the SentencePiece model of the published metric is to be had."""

Pieces = Callable[[str], str]
"""Cuts a text into pieces with spaces between them."""


class SentencePieceMissingError(UnavailableError):
    """spBLEU is asked for where its SentencePiece model or library is missing."""

    code = "metrics.sentencepiece_missing"

    def __init__(self, reason: str) -> None:
        super().__init__(f"The metric sp_bleu cannot be computed on this server: {reason}")


def sp_bleu(
    gold: Sequence[Gold], predictions: Sequence[Answer | None], *, pieces: Pieces
) -> MetricResult:
    """Return the BLEU of all predictions together, over SentencePiece tokens.

    Formula: as BLEU, over the pieces of the published FLORES-101 SentencePiece model
    instead of words (sacreBLEU's tok:flores101). The server reads that model from the file
    that DYNABENCH_SENTENCEPIECE_MODEL names; without it an evaluation fails and says so.
    Range: 0 to 1, shown times 100.
    Direction: higher is better.
    No data: null; no prediction counts as an empty text.
    Each item: its sentence BLEU over the orders that it has (effective order).
    Source: Goyal et al. 2022, "The FLORES-101 Evaluation Benchmark for Low-Resource and
    Multilingual Machine Translation".

    Example:
        >>> sp_bleu(["ab cd ef gh"], ["ab cd ef gh"], pieces=str).value
        1.0
    """
    return score_tokens(
        gold, predictions, tokenizer="none", prepare=lambda text: pieces(text.rstrip())
    )


def sp_bleu_over(model: bytes | None) -> Metric:
    """Return spBLEU over a SentencePiece model's pieces.

    Raises:
        SentencePieceMissingError: If there is no such model, or the library is not installed.
    """
    if model is None:
        raise SentencePieceMissingError(
            f"its SentencePiece model is missing. Download {MODEL_URL} and put the file's "
            "path into DYNABENCH_SENTENCEPIECE_MODEL."
        )
    try:
        # Only servers with this metric need it, so it is no dependency of every one.
        library = import_module("sentencepiece")
    except ImportError as error:
        raise SentencePieceMissingError(
            "the Python package sentencepiece is missing. Install it beside the server."
        ) from error
    processor = library.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(model)
    except RuntimeError as error:
        raise SentencePieceMissingError(
            "the file that DYNABENCH_SENTENCEPIECE_MODEL names is no SentencePiece model. "
            f"Download {MODEL_URL} instead."
        ) from error

    def score(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
        return sp_bleu(
            gold, predictions, pieces=lambda text: " ".join(processor.EncodeAsPieces(text))
        )

    return score
