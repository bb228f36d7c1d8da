"""All that is compiled, and only that: the rules in integers, and the search on them."""
