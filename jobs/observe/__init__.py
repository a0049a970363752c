"""Observation: a listing becomes snapshots, histories and episodes, or a reason why it is not believed."""
