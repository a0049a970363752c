"""Alembic's entry: works on the connection that `storage.migrations` hands it."""

from alembic import context

from storage import tables

given = context.config.attributes

context.configure(
    connection=given["connection"],
    target_metadata=tables.metadata,
    transactional_ddl=True,
    render_as_batch=True,
    render_item=given.get("render"),
)
with context.begin_transaction():
    context.run_migrations()
