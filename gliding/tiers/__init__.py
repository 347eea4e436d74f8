"""Ways to shorten: trim by rules, extract by LexRank or clusters."""
