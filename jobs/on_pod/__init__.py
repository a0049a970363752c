"""What runs on a pod for us: the default scripts, and the short programs that start, poll, stop and read.

Each program is sent over SSH to `sh` on its standard input. It is one function that is called in its
last line, so a connection that breaks half way runs nothing.
"""
