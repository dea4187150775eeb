"""spBLEU over a SentencePiece model that the test trains."""

import io

import pytest
from sacrebleu.metrics.bleu import BLEU
from sentencepiece import SentencePieceProcessor, SentencePieceTrainer

from dynabench.science.metrics.registry import Resources, metric
from dynabench.science.metrics.sp_bleu import SentencePieceMissingError, sp_bleu

TEXTS = (
    "The old bridge was closed again on Monday.",
    "Nobody knows when the new bridge will be open.",
    "On Monday the harbour was closed too.",
)


def test_pieces_take_the_place_of_words() -> None:
    gold, said = list(TEXTS), [TEXTS[0], "Nobody knows that.", TEXTS[2]]

    def letters(text: str) -> str:
        return " ".join(text.replace(" ", "_"))

    pieces = [letters(one) for one in gold]
    expected = BLEU(tokenize="none").corpus_score([letters(one) for one in said], [pieces])
    assert sp_bleu(gold, said, pieces=letters).value == pytest.approx(expected.score / 100)


def test_without_a_model_it_says_what_to_download_and_where_to_name_it() -> None:
    with pytest.raises(SentencePieceMissingError) as caught:
        metric("sp_bleu")
    assert "sacrebleu_tokenizer_spm.model" in caught.value.message
    assert "DYNABENCH_SENTENCEPIECE_MODEL" in caught.value.message
    with pytest.raises(SentencePieceMissingError):
        metric("sp_bleu", Resources(sentencepiece=b"no model"))


def test_a_model_cuts_the_texts() -> None:
    written = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS * 20),
        model_writer=written,
        vocab_size=32,
        minloglevel=2,
    )
    resources = Resources(sentencepiece=written.getvalue())
    processor = SentencePieceProcessor(model_proto=written.getvalue())
    said = [TEXTS[1], TEXTS[1], TEXTS[2]]
    streams = [" ".join(processor.EncodeAsPieces(one)) for one in TEXTS]
    hypotheses = [" ".join(processor.EncodeAsPieces(one)) for one in said]
    expected = BLEU(tokenize="none").corpus_score(hypotheses, [streams]).score / 100
    assert metric("sp_bleu", resources)(list(TEXTS), said).value == pytest.approx(expected)
