"""The running site: bots, the admin socket, backup and replay, the operator's page."""
