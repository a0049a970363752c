"""pods and whose they are"""

import sqlalchemy as sa
from alembic import op

from storage.columns import Instant

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "deed",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=True),
        sa.Column("question_id", sa.String(), nullable=True),
        sa.Column("provision_id", sa.String(), nullable=True),
        sa.Column("episode", sa.String(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("evidence", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("not_before", Instant(), nullable=False),
        sa.Column("start_by", Instant(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", Instant(), nullable=True),
        sa.Column("lease_until", Instant(), nullable=True),
        sa.Column("fencing", sa.Integer(), nullable=False),
        sa.Column("attempted_at", Instant(), nullable=True),
        sa.Column("answer_status", sa.Integer(), nullable=True),
        sa.Column("answered_at", Instant(), nullable=True),
        sa.Column("read_back_status", sa.Integer(), nullable=True),
        sa.Column("read_back_at", Instant(), nullable=True),
        sa.Column("absent_at", Instant(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("finished_at", Instant(), nullable=True),
        sa.Column("usd_per_hour", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deed")),
    )
    with op.batch_alter_table("deed", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_deed_due_at"), ["due_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_deed_finished_at"), ["finished_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_deed_pod_id"), ["pod_id"], unique=False)
        batch_op.create_index(
            "uq_deed_open",
            ["pod_id"],
            unique=True,
            sqlite_where=sa.text("finished_at IS NULL"),
            postgresql_where=sa.text("finished_at IS NULL"),
        )

    op.create_table(
        "episode",
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("since", Instant(), nullable=False),
        sa.Column("until", Instant(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("observations", sa.Integer(), nullable=False),
        sa.Column("longest_gap_s", sa.Float(), nullable=False),
        sa.Column("started_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("pod_id", "since", name=op.f("pk_episode")),
    )
    op.create_table(
        "hand_over",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("giver", sa.String(), nullable=False),
        sa.Column("receiver", sa.String(), nullable=False),
        sa.Column("offered_by", sa.String(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("accepted_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hand_over")),
    )
    with op.batch_alter_table("hand_over", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_hand_over_pod_id"), ["pod_id"], unique=False)

    op.create_table(
        "heartbeat",
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("finished_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("pod_id", "agent", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "history",
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("first_seen_at", Instant(), nullable=False),
        sa.Column("at_first_listing", sa.Boolean(), nullable=False),
        sa.Column("last_seen_at", Instant(), nullable=False),
        sa.Column("last_counting_at", Instant(), nullable=True),
        sa.Column("gapless", sa.Boolean(), nullable=False),
        sa.Column("counting", sa.Integer(), nullable=False),
        sa.Column("has_run", sa.String(), nullable=True),
        sa.Column("has_run_at", Instant(), nullable=True),
        sa.Column("started_at", Instant(), nullable=True),
        sa.Column("nulls", sa.Integer(), nullable=False),
        sa.Column("nulls_since", Instant(), nullable=True),
        sa.Column("last_unexited_at", Instant(), nullable=True),
        sa.Column("exited_since", Instant(), nullable=True),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("since", Instant(), nullable=False),
        sa.Column("until", Instant(), nullable=False),
        sa.Column("observations", sa.Integer(), nullable=False),
        sa.Column("longest_gap_s", sa.Float(), nullable=False),
        sa.Column("episode_started_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("pod_id", name=op.f("pk_history")),
    )
    op.create_table(
        "keep",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("given_by", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("given_at", Instant(), nullable=False),
        sa.Column("until", Instant(), nullable=True),
        sa.Column("told_never_ran_at", Instant(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("lifted_by", sa.String(), nullable=True),
        sa.Column("lifted_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keep")),
    )
    with op.batch_alter_table("keep", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_keep_pod_id"), ["pod_id"], unique=False)

    op.create_table(
        "listing_pass",
        sa.Column("at", Instant(), nullable=False),
        sa.Column("provider_at", Instant(), nullable=True),
        sa.Column("whole", sa.Boolean(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("pods", sa.Integer(), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("at", name=op.f("pk_listing_pass")),
    )
    op.create_table(
        "pod",
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("sight", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=True),
        sa.Column("shows_life", sa.Boolean(), nullable=False),
        sa.Column("created_at", Instant(), nullable=True),
        sa.Column("started_at", Instant(), nullable=True),
        sa.Column("gpu_type", sa.String(), nullable=True),
        sa.Column("gpu_count", sa.Integer(), nullable=True),
        sa.Column("usd_per_hour", sa.Float(), nullable=True),
        sa.Column("data_center", sa.String(), nullable=True),
        sa.Column("cloud", sa.String(), nullable=True),
        sa.Column("mounts", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("container_disk_gb", sa.Integer(), nullable=True),
        sa.Column("ssh_host", sa.String(), nullable=True),
        sa.Column("ssh_port", sa.Integer(), nullable=True),
        sa.Column("locked", sa.Boolean(), nullable=False),
        sa.Column("cluster_member", sa.Boolean(), nullable=False),
        sa.Column("provision_mark", sa.String(), nullable=True),
        sa.Column("create_mark", sa.String(), nullable=True),
        sa.Column("actions", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("image", sa.Text(), nullable=True),
        sa.Column("unreadable", sa.Text(), nullable=True),
        sa.Column("status_text", sa.Text(), nullable=True),
        sa.Column("status_text_at", Instant(), nullable=True),
        sa.Column("progress_at", Instant(), nullable=True),
        sa.Column("listed_at", Instant(), nullable=False),
        sa.Column("first_404_at", Instant(), nullable=True),
        sa.Column("last_404_at", Instant(), nullable=True),
        sa.Column("gone_at", Instant(), nullable=True),
        sa.Column("gone_why", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("pod_id", name=op.f("pk_pod")),
    )
    with op.batch_alter_table("pod", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pod_gone_at"), ["gone_at"], unique=False)

    op.create_table(
        "remembered",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("state", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_remembered")),
    )
    op.create_table(
        "sign_of_life",
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("sign", sa.String(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("pod_id", "sign", name=op.f("pk_sign_of_life")),
    )
    op.create_table(
        "statement",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("said_by", sa.String(), nullable=True),
        sa.Column("receiver", sa.String(), nullable=True),
        sa.Column("source", sa.String(), nullable=True),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_statement")),
    )
    with op.batch_alter_table("statement", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_statement_owner"), ["owner"], unique=False)
        batch_op.create_index(batch_op.f("ix_statement_pod_id"), ["pod_id"], unique=False)

    op.create_table(
        "verdict",
        sa.Column("pod_id", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("held", sa.String(), nullable=True),
        sa.Column("since", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("pod_id", name=op.f("pk_verdict")),
    )


def downgrade() -> None:
    op.drop_table("verdict")
    with op.batch_alter_table("statement", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_statement_pod_id"))
        batch_op.drop_index(batch_op.f("ix_statement_owner"))

    op.drop_table("statement")
    op.drop_table("sign_of_life")
    op.drop_table("remembered")
    with op.batch_alter_table("pod", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_pod_gone_at"))

    op.drop_table("pod")
    op.drop_table("listing_pass")
    with op.batch_alter_table("keep", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_keep_pod_id"))

    op.drop_table("keep")
    op.drop_table("history")
    op.drop_table("heartbeat")
    with op.batch_alter_table("hand_over", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_hand_over_pod_id"))

    op.drop_table("hand_over")
    op.drop_table("episode")
    with op.batch_alter_table("deed", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_deed_open",
            sqlite_where=sa.text("finished_at IS NULL"),
            postgresql_where=sa.text("finished_at IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_deed_pod_id"))
        batch_op.drop_index(batch_op.f("ix_deed_finished_at"))
        batch_op.drop_index(batch_op.f("ix_deed_due_at"))

    op.drop_table("deed")
