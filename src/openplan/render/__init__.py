"""A scene drawn in a medium."""
