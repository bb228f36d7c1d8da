"""Paper: decks to cut out, counters, rules booklets, and turns for players with a pen.

Everything becomes a PDF by typst, in our own fonts: the same bytes wherever it is made. It is slow
for an event loop: call it in a thread.
"""
