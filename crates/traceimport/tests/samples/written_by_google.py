#!/usr/bin/env python3
"""Writes google-scxtop.pftrace and google-rare.pftrace with Google's own protobuf classes (pip package `perfetto`, Apache-2.0): the
shape of scxtop's files, and what few writers write. Nothing of ours is in the writing.   written_by_google.py, in this folder"""
import json
import subprocess
import zlib

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

IDLE = 0x402


def write(name, trace):
    with open(name, "wb") as file:
        file.write(trace.SerializeToString())


def scxtop():
    trace = Trace()
    snapshot = trace.packet.add().clock_snapshot
    snapshot.primary_trace_clock = 6
    clock = snapshot.clocks.add()
    clock.clock_id, clock.timestamp = 6, 1_000
    process = trace.packet.add().track_descriptor
    process.uuid, process.process.pid, process.process.process_name = 77, 10, "alpha"
    tree = trace.packet.add().process_tree
    leader = tree.processes.add()
    leader.pid, leader.ppid = 10, 1
    leader.cmdline.append("alpha")
    thread = tree.threads.add()
    thread.tid, thread.tgid, thread.name = 11, 10, "beta"
    # A queue of a CPU's own, whose number does not fit a signed one.
    dsqs = {100: 500, 0xC000000000000001: 700}
    for dsq, uuid in dsqs.items():
        for more, what, unit in ((0, "latency ns", 1), (1, "nr_queued", 2)):
            track = trace.packet.add().track_descriptor
            track.uuid, track.name = uuid + more, f"DSQ {dsq} {what}"
            track.counter.unit = unit
    topology = trace.packet.add().track_descriptor
    cpus = {"cpu_to_llc": {"0": 0, "1": 1}, "cpu_to_numa": {"0": 0, "1": 0}, "cpu_to_core": {"0": 0, "1": 1}}
    topology.uuid = 900
    topology.name = "scxtop_topo:" + json.dumps({**cpus, "nr_cpus": 2, "nr_llcs": 2, "nr_numa_nodes": 1})
    for ts, track, value in ((1_200, 500, 15), (1_300, 500, 40), (1_300, 501, 3), (1_400, 700, 9), (1_500, 701, 1)):
        packet = trace.packet.add()
        packet.timestamp, packet.track_event.type = ts, 4
        packet.track_event.track_uuid, packet.track_event.counter_value = track, value
    # One bundle of each CPU, last of all; of the idle task no field is set but its priority's.
    events = {
        0: [
            (1_000, "switch", ("", 0, 0), 0, ("alpha", 10, 120)),
            (1_100, "waking", ("beta", 11, 120)),
            (1_200, "switch", ("alpha", 10, 120), 1, ("", 0, 0)),
            # A switch to task 12 is missing before this one.
            (1_900, "switch", ("gamma", 12, 120), 0x2002, ("", 0, 0)),
        ],
        1: [
            (1_150, "switch", ("", 0, 0), 0, ("beta", 11, 120)),
            (1_400, "switch", ("beta", 11, 120), IDLE, ("alpha", 10, 120)),
            (1_800, "switch", ("alpha", 10, 120), 0, ("", 0, 0)),
        ],
    }
    for cpu, of_cpu in events.items():
        packet = trace.packet.add()
        packet.trusted_packet_sequence_id = 1
        bundle = packet.ftrace_events
        bundle.cpu = cpu
        for ts, kind, *fields in of_cpu:
            event = bundle.event.add()
            event.timestamp = ts
            if kind == "waking":
                (comm, pid, prio) = fields[0]
                # The wakee is named in place of the waker, and its own CPU in place of the target's.
                event.pid = pid
                waking = event.sched_waking
                waking.comm, waking.pid, waking.prio, waking.target_cpu = comm, pid, prio, cpu
                continue
            (prev_comm, prev_pid, prev_prio), state, (next_comm, next_pid, next_prio) = fields
            switch = event.sched_switch
            if prev_pid:
                event.pid = prev_pid
                switch.prev_comm, switch.prev_pid, switch.prev_prio = prev_comm, prev_pid, prev_prio
            if state:
                switch.prev_state = state
            if next_pid:
                switch.next_comm, switch.next_pid, switch.next_prio = next_comm, next_pid, next_prio
    write("google-scxtop.pftrace", trace)


def rare():
    trace = Trace()
    info = trace.packet.add().system_info
    info.utsname.sysname, info.utsname.release, info.utsname.machine = "Linux", "4.9.337", "aarch64"
    info.num_cpus = 3
    inner = Trace()
    # Compact events of an older Perfetto: no flags of wakings; names are the bundle's own.
    packet = inner.packet.add()
    packet.timestamp, packet.trusted_packet_sequence_id = 5_000, 3
    bundle = packet.ftrace_events
    bundle.cpu, bundle.lost_events, bundle.previous_bundle_end_timestamp = 2, True, 900
    compact = bundle.compact_sched
    compact.intern_table.extend(["one", "two", "räksmörgås"])
    compact.switch_timestamp.extend([2_000, 500, 250])
    compact.switch_prev_state.extend([1, 0x1000, 0x402])
    compact.switch_next_pid.extend([1, 2, 3])
    compact.switch_next_prio.extend([120, -1, 49])
    compact.switch_next_comm_index.extend([0, 1, 2])
    compact.waking_timestamp.extend([2_000, 600])
    compact.waking_pid.extend([3, 4])
    compact.waking_target_cpu.extend([1, 0])
    compact.waking_prio.extend([49, 120])
    compact.waking_comm_index.extend([2, 0])
    # A description of an event, and the event, whose field is unknown to the classes: written as bytes behind the bundle.
    described = bundle.generic_event_descriptors.add()
    described.field_id, described.group_name = 70_000, "sched_ext"
    described.event_descriptor = descriptor("sched_ext_event", ("name", 1, 9), ("delta", 2, 3))
    zlibbed = zlib.compress(inner.SerializeToString())
    trace.packet.add().compressed_packets = zlibbed
    # Full events of another CPU, inside zstd: a generic one, and one of a field that no reader knows.
    other = Trace()
    bundle = other.packet.add().ftrace_events
    bundle.cpu = 1
    event = bundle.event.add()
    event.timestamp, event.pid = 2_100, 5
    event.generic.event_name = "sched_ext_event"
    name, delta = event.generic.field.add(), event.generic.field.add()
    name.name, name.str_value = "name", "SCX_EV_BYPASS_ACTIVATE"
    delta.name, delta.int_value = "delta", 1
    event = bundle.event.add()
    event.timestamp, event.pid = 2_200, 5
    # Field 70000, two fields within: name and delta.
    event.MergeFromString(field(70_000, field(1, b"SCX_EV_BYPASS_DURATION") + varint(2 << 3) + varint(90)))
    event = bundle.event.add()
    event.timestamp, event.pid = 2_300, 5
    event.sched_switch.prev_comm, event.sched_switch.prev_pid, event.sched_switch.prev_prio = "five", 5, 120
    event.sched_switch.prev_state, event.sched_switch.next_prio = 0x402, 120
    packed = subprocess.run(["zstd", "-qc"], input=other.SerializeToString(), stdout=subprocess.PIPE, check=True).stdout
    packet = trace.packet.add()
    packet.MergeFromString(field(133, packed))
    stats = trace.packet.add().ftrace_stats
    stats.phase = 2
    cpu = stats.cpu_stats.add()
    cpu.cpu, cpu.overrun = 2, 17
    write("google-rare.pftrace", trace)


def descriptor(name, *fields):
    from google.protobuf.descriptor_pb2 import DescriptorProto

    message = DescriptorProto(name=name)
    for of, number, kind in fields:
        message.field.add(name=of, number=number, type=kind)
    return message.SerializeToString()


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


scxtop()
rare()
