"""A shell script that answers as nvidia-smi does for the pod's GPUs."""

import shlex
from hashlib import sha256

from simulator.runpod.catalogue import GpuType
from simulator.runpod.pod import Pod

DRIVER = "570.86.15"
_MISMATCH = """#!/bin/bash
echo 'Failed to initialize NVML: Driver/library version mismatch'
exit 18
"""
_NONE = """#!/bin/bash
echo 'No devices were found'
exit 6
"""
_SCRIPT = """#!/bin/bash
gpus=({rows})
fields='index name uuid memory.total memory.used memory.free utilization.gpu driver_version'
fields="$fields temperature.gpu pci.bus_id count"
query= header=1 units=1
for argument in "$@"; do
  case $argument in
    -L|--list-gpus) query=list ;;
    --query-gpu=*) query=${{argument#*=}} ;;
    --format=*)
      case $argument in *noheader*) header=0 ;; esac
      case $argument in *nounits*) units=0 ;; esac ;;
    -i|--id=*|-h|--help) ;;
    -*) echo "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help." ; exit 1 ;;
  esac
done
unit() {{
  case $1 in memory.*) echo ' MiB' ;; utilization.*) echo ' %' ;; esac
}}
if [ "$query" = list ]; then
  for row in "${{gpus[@]}}"; do
    IFS='|' read -r index name uuid _ <<< "$row"
    echo "GPU $index: $name (UUID: $uuid)"
  done
  exit 0
fi
if [ -z "$query" ]; then
  echo '+-----------------------------------------------------------------------------------------+'
  echo '| NVIDIA-SMI {driver}              Driver Version: {driver}      CUDA Version: 12.8     |'
  echo '+-----------------------------------------------------------------------------------------+'
  for row in "${{gpus[@]}}"; do
    IFS='|' read -r index name _ total _ <<< "$row"
    printf '| %3s  %-40s       1MiB / %8sMiB |      0%%      Default |\\n' "$index" "$name" "$total"
  done
  echo '+-----------------------------------------------------------------------------------------+'
  exit 0
fi
IFS=', ' read -r -a wanted <<< "$query"
columns=() titles=()
for field in "${{wanted[@]}}"; do
  [ "$field" = gpu_name ] && field=name
  [ "$field" = gpu_uuid ] && field=uuid
  column=0 found=
  for known in $fields; do
    if [ "$known" = "$field" ]; then found=$column; fi
    column=$((column + 1))
  done
  if [ -z "$found" ]; then
    echo "Field \\"$field\\" is not a valid field to query."
    exit 2
  fi
  columns+=("$found")
  title=$field
  case $field in memory.*) title="$field [MiB]" ;; utilization.*) title="$field [%]" ;; esac
  titles+=("$title")
done
join() {{ local out=$1; shift; for part in "$@"; do out="$out, $part"; done; echo "$out"; }}
[ $header = 1 ] && join "${{titles[@]}}"
for row in "${{gpus[@]}}"; do
  IFS='|' read -r -a cells <<< "$row"
  out=()
  for at in "${{!columns[@]}}"; do
    suffix=
    [ $units = 1 ] && suffix=$(unit "${{wanted[$at]}}")
    out+=("${{cells[${{columns[$at]}}]}}$suffix")
  done
  join "${{out[@]}}"
done
exit 0
"""


def script(pod: Pod, gpu: GpuType | None) -> str:
    """The text of the pod's nvidia-smi: its GPUs as ordered, or what its plan says is seen of them."""
    if pod.plan.driver_mismatch:
        return _MISMATCH
    ordered = pod.order.count if pod.order.gpu is not None else 0
    count = ordered if pod.plan.gpus_seen is None else pod.plan.gpus_seen
    if count == 0 or pod.order.gpu is None:
        return _NONE
    memory = (gpu.memory if gpu is not None else 24) * 1024
    rows = (_row(pod.id, index, pod.order.gpu, memory, count) for index in range(count))
    return _SCRIPT.format(rows=" ".join(shlex.quote(row) for row in rows), driver=DRIVER)


def _row(pod_id: str, index: int, name: str, memory: int, count: int) -> str:
    mark = sha256(f"{pod_id}/{index}".encode()).hexdigest()
    uuid = f"GPU-{mark[:8]}-{mark[8:12]}-{mark[12:16]}-{mark[16:20]}-{mark[20:32]}"
    bus = f"00000000:{index + 1:02X}:00.0"
    return f"{index}|{name}|{uuid}|{memory}|1|{memory - 1}|0|{DRIVER}|31|{bus}|{count}"
