"""How much the reader needs each sentence: one file a signal, and the blend of them."""
