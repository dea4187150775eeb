"""Short lists of English words that the learners' features look for."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that carry little meaning alone: they neither end an answer nor tell what it is about.
FUNCTION_WORDS = _words(
    "a an the and or but of to in on at by for from with as is are was were be been being it its "
    "this that these those he she they them his her their we you i him our your my me us had has "
    "have do does did will would can could there then than so if when while who whom whose which "
    "what where why how not no into after before about"
)
# Words that turn a sentence round.
NEGATIONS = _words("not no never none nobody nothing neither nor nowhere without hardly cannot n't")
DETERMINERS = _words("the a an its his her their this that these those")
# Words that join clauses.
JOINERS = _words("and or but because so that which who when while if than then as")
MONTHS = _words(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter "
    "morning afternoon evening night noon midnight dawn dusk"
)
NUMBER_WORDS = _words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand million half quarter third dozen twice once"
)
UNITS = _words(
    "second seconds minute minutes hour hours day days week weeks month months year years metre "
    "metres kilometre kilometres centimetre centimetres millimetre kilogram kilograms gram grams "
    "litre litres tonne tonnes degree degrees percent cent euro euros dollar dollars pound pounds "
    "mile miles foot feet inch inches"
)
