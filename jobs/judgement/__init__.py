"""One pass of judgement: facts from the database, verdicts, the plan, and what of it is written down."""
