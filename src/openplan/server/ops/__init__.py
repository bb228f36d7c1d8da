"""The running site: bots, heartbeat, the admin socket, backup and replay, the operator's page."""
