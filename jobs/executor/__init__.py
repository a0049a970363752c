"""The executor: the only code that can end or stop a pod.

One deed is one row, worked on in short steps under a lease: read the pod, look at the guards on fresh facts,
write the attempt down, act, and believe nothing until it was read back. Whatever breaks off, the row says
where to go on.
"""
