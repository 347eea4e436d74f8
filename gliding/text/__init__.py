"""What segmenting, scoring, tiers and audit share: words, sentence ends, scripts, prefixes."""
