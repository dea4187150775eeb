"""What the report says beside its numbers: true whatever the numbers are."""

from collections.abc import Mapping
from types import MappingProxyType

OPENING = """\
Adversarial rounds rest on a promise: what fools the present model is better to learn from than
what comes along by itself. This study plays rounds of collection from published data and holds
the promise to a control of the same size. It is written by `dynabench study` from the numbers in
[data](data) and not by hand; [how to repeat it](README.md)."""

HOW = """\
One loop, one seed:

1. A fifth of the pool is **held out** in whole contexts (a premise, a review, a contrast pair) and
   shown to no model. The rest is dealt out to the rounds, by chance or as its source numbers them.
2. **Collect**: every item of the round is shown to the target, which is the first model in round 1
   and then the one retrained last. What fools it (its label is not the item's) counts.
3. **Validate**: where the source has votes of other people, the platform's rule decides with a
   quorum of 3; what they find wrong is dropped, in both arms. Without votes the label stands.
4. **Release**: the platform's own split gives train, dev and test; no context crosses them, and
   where writers are known some of them write for test alone.
5. **Retrain**: the recipe learns the static data and the train items of all rounds so far.
6. **Control**: a second model starts from the same first model. Each round it learns from as many
   items, drawn at random from all that the target was shown, fooled or not, without the contexts
   and writers that the release keeps from train. Recipe and seed are the same. Where played,
   two more controls are drawn: one with as many items of each **label** as the adversarial arm
   learns, one with as many of each label and fifth by the first model's **confidence**.
7. **Evaluate**: both arms, after every round, on the test of every round, on what was held out, on
   a static set of the first model's kind and on sets of other makers.

That no context and no whole input is both learned from and scored on is asserted for every model.
In each seed the arms are compared item by item as well, clustered by context (paired t); the
tables count the seeds in which the items alone tell the arms apart."""

CAVEATS = """\
- **The learner is weak.** The recipe is logistic regression over words and character n-grams (and
  word overlap for pairs). Published work used large pretrained models, which learn other things
  from the same items. Where a score is near that of the most frequent label, little was learned
  at all, and differences there say little about adversarial data.
- **The pools are no sample of the world.** DynaSent and HatemojiBuild were collected against other
  models years ago and are adversarial already, so that a control drawn from them is a strong one;
  “linguist in the loop” had no model in it. Nobody wrote against *these* targets: an item that
  fools one was found, not made.
- **A fooling item may be a wrong label.** Filtering by errors gathers them, the more so where the
  source has no votes.
- **Tests of rounds are biased.** Each holds only what fooled its round's target, which therefore
  has 0 % there. The adversarial arm's later models grew from that target and share its errors; the
  control did not.
- **“Fooling the first model” rewards disagreeing with it.** That part of what was held out favours
  an arm that learned from the first model's errors; its other part, *right by the first model*,
  does the opposite. Neither says anything without the other; together they are what was held out.
- **Fooling shifts labels.** A target that prefers one label is fooled by the others, so that rounds
  differ in their labels and the next model may swing the other way. The random
  control draws labels as they come; only the controls matched by label tell this from the rest.
  Where none was played, a difference from the random control may be one of labels.
- **Loops share their data.** The three of inference have the first model and the static set in
  common. Counts over loops are a summary and no test.
- **Seeds share their data.** They draw anew what is held out, which round shows what, the splits
  and the control, all from one pool. Their intervals say how far the draws move the result, not
  what another collection would give."""

LITERATURE = """\
- Nie et al. 2020 ([ANLI](https://arxiv.org/abs/1910.14599)), Potts et al. 2021
  ([DynaSent](https://arxiv.org/abs/2012.15349)) and Kirk et al. 2022
  ([Hatemoji](https://arxiv.org/abs/2108.05921)) retrained between rounds, without a control.
- Vidgen et al. 2021 ([Learning from the worst](https://aclanthology.org/2021.acl-long.132/)):
  models of later rounds do better on test sets and HateCheck and are harder to trick; without a
  control.
- Kaushik et al. 2021 ([On the efficacy](https://aclanthology.org/2021.acl-long.517/)), with a
  control: models that learned adversarial questions usually do better on other adversarial sets
  and worse on sets of other kinds.
- Wallace et al. 2022 ([In the limit](https://aclanthology.org/2022.findings-acl.18/)), with a
  control: one to three rounds need not help beyond adversarial tests; after twenty, a quarter
  fewer errors on a test by experts.
- Parrish et al. 2021
  ([Linguist in the loop](https://aclanthology.org/2021.findings-emnlp.421/)): harder items with a
  linguist's help, no gain on sets of other kinds, and no effect of a chat room."""

REMARKS: Mapping[str, str] = MappingProxyType(
    {
        "sentiment": (
            "Static data: SST-5's train sentences with their three labels; static set: its dev "
            "sentences. Pool: DynaSent's dev sets of rounds 1 and 2 together, dealt out by chance; "
            "a context is the review that a sentence or its prompt is from. These dev sets are "
            "balanced so that their own model was right exactly one time in three."
        ),
        "hate": (
            "Static data: the tweets of Davidson et al. labelled hateful or neither. The class "
            "“offensive, not hateful”, most of the tweets, is left out: the other sets have no "
            "label for it. A fixed fifth is the static set. Pool: HatemojiBuild, rounds 5 and 6, "
            "dealt out by chance; a context is an original with its perturbation, which mostly "
            "turns its label around. HatemojiCheck (the half at hand) and HateCheck (the half at "
            "hand) are touched by nothing. The sources hold hateful text; none of it is shown."
        ),
        "nli-baseline": (
            "Static data: the original SNLI pairs of Kaushik et al. 2020, so that no premise is "
            "MNLI's; static set: SNLI dev. MNLI's own dev set shares premises with the pool and is "
            "not used. Rounds 1 to 3 are the source's. Each validated item has four votes beside "
            "its writer's label."
        ),
        "nli-lots": "As before; each round a linguist set the writers a constraint.",
        "nli-litl": "As LotS, and writers and linguist talked to each other in a chat room.",
    }
)
