"""What is asked over HTTP and WebSocket, and what guards it."""
