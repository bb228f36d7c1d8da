"""The first tables."""

from alembic import op
from sqlalchemy.schema import CreateIndex, CreateTable

from openplan.server.schema import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    for table in metadata.sorted_tables:
        op.execute(CreateTable(table))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            op.execute(CreateIndex(index))
