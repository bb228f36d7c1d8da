"""Mail at the server: the inbox, the judge's port, answers, letters written and sent."""
