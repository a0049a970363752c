"""A simulated RunPod account: see the README beside this file."""

from simulator.runpod.fleet import Fleet
from simulator.runpod.http import Request, Response
from simulator.runpod.plan import PodPlan
from simulator.runpod.refusal import RefusedError, Why
from simulator.runpod.rest import RestApi
from simulator.runpod.simulator import RunPodSimulator

__all__ = ["Fleet", "PodPlan", "RefusedError", "Request", "Response", "RestApi", "RunPodSimulator", "Why"]
