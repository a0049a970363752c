"""RunPod behind a small protocol: REST v2, and the old status text as a second witness."""
