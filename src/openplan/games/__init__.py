"""One folder a game. `openplan.core.registry` finds them; nothing else names one."""
