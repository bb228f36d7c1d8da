"""What is true of every game: no clock, no I/O, no await, standard library only."""
