"""The reconciler of provisions: looks at a row, decides, writes, does one short thing, and looks again."""
