"""Sealed Tender in words: notation, sentences, the picture, lines in letters."""
