#!/usr/bin/env python3
"""Writes crates/traceexport/src/perfetto/events.txt: which of the kernel's events have a message of their own in Perfetto's
FtraceEvent, and the numbers of their fields. It needs the pip package `perfetto`, whose classes are made from Perfetto's
public .proto files (Apache-2.0).   perfettoEvents.py > crates/traceexport/src/perfetto/events.txt"""
from google.protobuf.descriptor import FieldDescriptor
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import FtraceEvent

TEXT = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)

print("# The events of Perfetto's FtraceEvent (protos/perfetto/trace/ftrace in its repository, Apache-2.0): number, name, and for")
print("# each field its number in the event's message; s: a string. Written by scripts/perfettoEvents.py.")
for event in sorted(FtraceEvent.DESCRIPTOR.oneofs_by_name["event"].fields, key=lambda event: event.number):
    # `generic` is for events without a message.
    if event.name == "generic":
        continue
    fields = (f"{field.name}={field.number}{'s' if field.type in TEXT else ''}" for field in event.message_type.fields)
    print(event.number, event.name, *fields)
