"""Every sentence of mail, per language."""
