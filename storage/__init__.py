"""The memory: tables, migrations, leases, the ledger, the audit trail."""
