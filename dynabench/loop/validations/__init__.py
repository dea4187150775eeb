"""Other people's votes, the outcome they add up to, a round's MER and vMER."""
