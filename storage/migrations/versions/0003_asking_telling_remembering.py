"""asking, telling, remembering"""

import sqlalchemy as sa
from alembic import op

from storage.columns import Instant

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("received_at", Instant(), nullable=False),
        sa.Column("due_at", Instant(), nullable=True),
        sa.Column("lease_until", Instant(), nullable=True),
        sa.Column("fencing", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done_at", Instant(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_inbox_done_at"), ["done_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_inbox_due_at"), ["due_at"], unique=False)

    op.create_table(
        "job_pass",
        sa.Column("job", sa.String(), nullable=False),
        sa.Column("started_at", Instant(), nullable=False),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.Column("complete", sa.Boolean(), nullable=True),
        sa.Column("sentence", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("job", name=op.f("pk_job_pass")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("dedupe", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("thread_of", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("refs", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("urgent", sa.Boolean(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("due_at", Instant(), nullable=True),
        sa.Column("lease_until", Instant(), nullable=True),
        sa.Column("fencing", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("channel", sa.String(), nullable=True),
        sa.Column("ts", sa.String(), nullable=True),
        sa.Column("delivered_at", Instant(), nullable=True),
        sa.Column("gave_up_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("dedupe", name=op.f("uq_outbox_dedupe")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbox_delivered_at"), ["delivered_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_due_at"), ["due_at"], unique=False)

    op.create_table(
        "page",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("shown_to", sa.String(), nullable=False),
        sa.Column("items", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page")),
    )
    with op.batch_alter_table("page", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_page_at"), ["at"], unique=False)

    op.create_table(
        "question",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("asked", sa.String(), nullable=False),
        sa.Column("asked_by", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("facts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("opened_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=True),
        sa.Column("ends_at", Instant(), nullable=True),
        sa.Column("delivered_at", Instant(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.Column("decided_at", Instant(), nullable=True),
        sa.Column("decision", sa.String(), nullable=True),
        sa.Column("execute_by", Instant(), nullable=True),
        sa.Column("deed_id", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("closed_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question")),
    )
    with op.batch_alter_table("question", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_question_fingerprint"), ["fingerprint"], unique=False)
        batch_op.create_index(batch_op.f("ix_question_pod_id"), ["pod_id"], unique=False)
        batch_op.create_index(
            "uq_question_open",
            ["fingerprint"],
            unique=True,
            sqlite_where=sa.text("state = 'open'"),
            postgresql_where=sa.text("state = 'open'"),
        )

    op.create_table(
        "said",
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("since", Instant(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "state", "since", "n", name=op.f("pk_said")),
    )
    op.create_table(
        "slot",
        sa.Column("job", sa.String(), nullable=False),
        sa.Column("slot", Instant(), nullable=False),
        sa.Column("won_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("job", "slot", name=op.f("pk_slot")),
    )
    op.create_table(
        "switch",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("set_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_switch")),
    )
    op.create_table(
        "trail",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("prev_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_trail")),
    )
    with op.batch_alter_table("trail", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_trail_subject"), ["subject"], unique=False)

    op.create_table(
        "question_copy",
        sa.Column("question_id", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["question.id"], name=op.f("fk_question_copy_question_id")),
        sa.PrimaryKeyConstraint("question_id", "message_id", name=op.f("pk_question_copy")),
    )


def downgrade() -> None:
    op.drop_table("question_copy")
    with op.batch_alter_table("trail", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_trail_subject"))

    op.drop_table("trail")
    op.drop_table("switch")
    op.drop_table("slot")
    op.drop_table("said")
    with op.batch_alter_table("question", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_question_open",
            sqlite_where=sa.text("state = 'open'"),
            postgresql_where=sa.text("state = 'open'"),
        )
        batch_op.drop_index(batch_op.f("ix_question_pod_id"))
        batch_op.drop_index(batch_op.f("ix_question_fingerprint"))

    op.drop_table("question")
    with op.batch_alter_table("page", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_page_at"))

    op.drop_table("page")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_outbox_due_at"))
        batch_op.drop_index(batch_op.f("ix_outbox_delivered_at"))

    op.drop_table("outbox")
    op.drop_table("job_pass")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_inbox_due_at"))
        batch_op.drop_index(batch_op.f("ix_inbox_done_at"))

    op.drop_table("inbox")
