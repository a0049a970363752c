"""Alembic's entry: works on the connection that `storage.migrations` hands it."""

from alembic import context

from storage import tables

given = context.config.attributes
names = given.get("names")

context.configure(
    connection=given["connection"],
    target_metadata=tables.metadata,
    transactional_ddl=True,
    render_as_batch=True,
    render_item=given.get("render"),
    include_name=lambda name, kind, _parents: kind != "table" or names is None or name in names,
    include_object=lambda _object, name, kind, _reflected, _with: (
        kind != "table" or names is None or name in names
    ),
)
with context.begin_transaction():
    context.run_migrations()
