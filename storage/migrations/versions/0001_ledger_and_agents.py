"""ledger and agents"""

import sqlalchemy as sa
from alembic import op

from storage.columns import Instant

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agent",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("added_by", sa.String(), nullable=False),
        sa.Column("added_at", Instant(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("rotated_at", Instant(), nullable=True),
        sa.Column("confirmed_at", Instant(), nullable=True),
        sa.Column("suspended_at", Instant(), nullable=True),
        sa.Column("removed_at", Instant(), nullable=True),
        sa.Column("last_seen_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_agent")),
    )
    with op.batch_alter_table("agent", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_agent_owner"), ["owner"], unique=False)

    op.create_table(
        "agent_request",
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("exit_code", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("pod_id", sa.String(), nullable=True),
        sa.Column("provision_id", sa.String(), nullable=True),
        sa.Column("deed_id", sa.String(), nullable=True),
        sa.Column("asked", sa.String(), nullable=True),
        sa.Column("answer", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("agent", "id", name=op.f("pk_agent_request")),
    )
    with op.batch_alter_table("agent_request", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_agent_request_deed_id"), ["deed_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_agent_request_pod_id"), ["pod_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_agent_request_provision_id"), ["provision_id"], unique=False)

    op.create_table(
        "bad_place",
        sa.Column("gpu", sa.String(), nullable=False),
        sa.Column("data_center", sa.String(), nullable=False),
        sa.Column("until", Instant(), nullable=False),
        sa.Column("provision_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("gpu", "data_center", name=op.f("pk_bad_place")),
    )
    op.create_table(
        "note",
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("task", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("agent", "id", name=op.f("pk_note")),
    )
    op.create_table(
        "person",
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("team_id", sa.String(), nullable=True),
        sa.Column("timezone", sa.String(), nullable=True),
        sa.Column("deleted", sa.Boolean(), nullable=True),
        sa.Column("bot", sa.Boolean(), nullable=True),
        sa.Column("guest", sa.Boolean(), nullable=True),
        sa.Column("stranger", sa.Boolean(), nullable=True),
        sa.Column("fetched_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_person")),
    )
    op.create_table(
        "provision",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_freed_at", Instant(), nullable=True),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("asker", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=True),
        sa.Column("door", sa.String(), nullable=False),
        sa.Column("notify", sa.String(), nullable=True),
        sa.Column("channel", sa.String(), nullable=True),
        sa.Column("head_message", sa.String(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("stage_since", Instant(), nullable=False),
        sa.Column("deadline_at", Instant(), nullable=True),
        sa.Column("keep_on_failure", sa.Boolean(), nullable=False),
        sa.Column("pod_id", sa.String(), nullable=True),
        sa.Column("gpu", sa.String(), nullable=True),
        sa.Column("usd_per_hour", sa.Float(), nullable=True),
        sa.Column("reached_at", Instant(), nullable=True),
        sa.Column("logged_in_at", Instant(), nullable=True),
        sa.Column("fence_at", Instant(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("exit_code", sa.Integer(), nullable=True),
        sa.Column("finished_at", Instant(), nullable=True),
        sa.Column("cancelled_by", sa.String(), nullable=True),
        sa.Column("cancelled_at", Instant(), nullable=True),
        sa.Column("retry_by", sa.String(), nullable=True),
        sa.Column("retry_at", Instant(), nullable=True),
        sa.Column("go_on_by", sa.String(), nullable=True),
        sa.Column("go_on_at", Instant(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.Column("decided_at", Instant(), nullable=True),
        sa.Column("asks", sa.Integer(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.Column("due_at", Instant(), nullable=True),
        sa.Column("lease_until", Instant(), nullable=True),
        sa.Column("fencing", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_provision")),
        sa.UniqueConstraint("pod_id", name=op.f("uq_provision_pod_id")),
    )
    with op.batch_alter_table("provision", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_provision_agent"), ["agent"], unique=False)
        batch_op.create_index(batch_op.f("ix_provision_due_at"), ["due_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_provision_finished_at"), ["finished_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_provision_owner"), ["owner"], unique=False)
        batch_op.create_index(batch_op.f("ix_provision_stage"), ["stage"], unique=False)
        batch_op.create_index(
            "uq_provision_live_name",
            ["name"],
            unique=True,
            sqlite_where=sa.text("name_freed_at IS NULL"),
            postgresql_where=sa.text("name_freed_at IS NULL"),
        )

    op.create_table(
        "ssh_host_key",
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("pod_id", name=op.f("pk_ssh_host_key")),
    )
    op.create_table(
        "ssh_key",
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("added_at", Instant(), nullable=False),
        sa.Column("removed_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", "n", name=op.f("pk_ssh_key")),
    )
    op.create_table(
        "create_call",
        sa.Column("provision_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("started_at", Instant(), nullable=False),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("pod_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["provision_id"], ["provision.id"], name=op.f("fk_create_call_provision_id")),
        sa.PrimaryKeyConstraint("provision_id", "n", name=op.f("pk_create_call")),
        sa.UniqueConstraint("pod_id", name=op.f("uq_create_call_pod_id")),
        sa.UniqueConstraint("token", name=op.f("uq_create_call_token")),
    )
    op.create_table(
        "provision_line",
        sa.Column("provision_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["provision_id"], ["provision.id"], name=op.f("fk_provision_line_provision_id")
        ),
        sa.PrimaryKeyConstraint("provision_id", "n", name=op.f("pk_provision_line")),
    )


def downgrade() -> None:
    op.drop_table("provision_line")
    op.drop_table("create_call")
    op.drop_table("ssh_key")
    op.drop_table("ssh_host_key")
    with op.batch_alter_table("provision", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_provision_live_name",
            sqlite_where=sa.text("name_freed_at IS NULL"),
            postgresql_where=sa.text("name_freed_at IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_provision_stage"))
        batch_op.drop_index(batch_op.f("ix_provision_owner"))
        batch_op.drop_index(batch_op.f("ix_provision_finished_at"))
        batch_op.drop_index(batch_op.f("ix_provision_due_at"))
        batch_op.drop_index(batch_op.f("ix_provision_agent"))

    op.drop_table("provision")
    op.drop_table("person")
    op.drop_table("note")
    op.drop_table("bad_place")
    with op.batch_alter_table("agent_request", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_agent_request_provision_id"))
        batch_op.drop_index(batch_op.f("ix_agent_request_pod_id"))
        batch_op.drop_index(batch_op.f("ix_agent_request_deed_id"))

    op.drop_table("agent_request")
    with op.batch_alter_table("agent", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_agent_owner"))

    op.drop_table("agent")
