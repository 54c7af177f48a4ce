#!/usr/bin/env python3
"""Prints the ftrace events of a Perfetto trace as Google's own protobuf classes decode them (pip package `perfetto`), CPU by CPU
in the order of its bundles: CPU, time, event, and of the scheduler's events their tasks, separated by tabs.   googleEvents.py FILE"""
import sys
import zlib

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

# pid, its name, the other pid, its name, the CPU: the fields that the events have of these.
FIELDS = {
    "sched_switch": ("prev_pid", "prev_comm", "next_pid", "next_comm", None),
    "sched_waking": ("pid", "comm", None, None, "target_cpu"),
    "sched_wakeup": ("pid", "comm", None, None, "target_cpu"),
    "sched_wakeup_new": ("pid", "comm", None, None, "target_cpu"),
    "sched_migrate_task": ("pid", "comm", None, None, "dest_cpu"),
    "sched_process_exit": ("pid", "comm", None, None, None),
    "sched_process_fork": ("parent_pid", "parent_comm", "child_pid", "child_comm", None),
    "sched_process_exec": ("pid", None, "old_pid", None, None),
    "task_rename": ("pid", "newcomm", None, None, None),
}


def bundles(data):
    trace = Trace()
    trace.ParseFromString(data)
    for packet in trace.packet:
        if packet.HasField("compressed_packets"):
            yield from bundles(zlib.decompress(packet.compressed_packets))
        elif packet.HasField("ftrace_events"):
            yield packet.ftrace_events


def words(event):
    kind = event.WhichOneof("event")
    message = getattr(event, kind)
    if kind == "generic":
        return (message.event_name,)
    fields = FIELDS.get(kind)
    if fields is None:
        return (kind,)
    values = [getattr(message, name) if name else default for name, default in zip(fields, (0, "", 0, "", 0))]
    return (kind, *values, event.pid, event.common_flags)


with open(sys.argv[1], "rb") as file:
    for bundle in bundles(file.read()):
        for event in bundle.event:
            print(bundle.cpu, event.timestamp, *words(event), sep="\t")
