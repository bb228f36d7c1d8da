"""Play by mail: what comes in is read and judged here, purely; letters out; transport."""
