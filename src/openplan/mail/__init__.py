"""Play by mail: what comes in is read and judged here, purely; letters out; transport.

Its rooms, from the ground up; each knows those before it: `widths`, `sentences`, `inbound` (bytes
to lines), `commands` (lines to what is done), `outbound` (what was done to letters).
"""
