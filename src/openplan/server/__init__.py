"""The server: tables, seats, clocks, live views. Nothing is acknowledged before it is durable."""
