"""What a recipe is doing, in a few words."""

from dynabench.kit.sentences import Phrase

ALIGNING_WORDS = Phrase("learning.aligning_words", "aligning words").say()
CALIBRATING_THE_PROBABILITIES = Phrase(
    "learning.calibrating_the_probabilities", "calibrating the probabilities"
).say()
CALIBRATING_THE_PROBABILITY = Phrase(
    "learning.calibrating_the_probability", "calibrating the probability"
).say()
COUNTING_WORDS = Phrase("learning.counting_words", "counting words").say()
FINDING_COLOURS_AND_FORMS = Phrase(
    "learning.finding_colours_and_forms", "finding colours and forms"
).say()
FINDING_THE_PAUSES = Phrase("learning.finding_the_pauses", "finding the pauses").say()
FITTING_THE_WEIGHTS = Phrase("learning.fitting_the_weights", "fitting the weights").say()
LISTENING = Phrase("learning.listening", "listening").say()
LOOKING_AT_THE_PICTURES = Phrase(
    "learning.looking_at_the_pictures", "looking at the pictures"
).say()
READING_THE_PASSAGES = Phrase("learning.reading_the_passages", "reading the passages").say()
READING_THE_TEXTS = Phrase("learning.reading_the_texts", "reading the texts").say()
TAKING_PHRASES = Phrase("learning.taking_phrases", "taking phrases").say()
TRAINED = Phrase("learning.trained", "trained").say()
