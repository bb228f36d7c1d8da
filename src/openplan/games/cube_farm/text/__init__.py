"""The game as text and pictures: notation, sentences, scenes, order forms."""
