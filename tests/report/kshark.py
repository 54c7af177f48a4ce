"""What KernelShark does to open a file: libkshark's open, and its loader of all entries. Prints how many there are."""
import ctypes
import ctypes.util
import sys

name = ctypes.util.find_library("kshark")
if name is None:
    sys.exit(3)
kshark = ctypes.CDLL(name)
context, entries = ctypes.c_void_p(), ctypes.c_void_p()
kshark.kshark_instance.restype = ctypes.c_bool
kshark.kshark_open.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
kshark.kshark_load_entries.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
kshark.kshark_load_entries.restype = ctypes.c_ssize_t
if not kshark.kshark_instance(ctypes.byref(context)):
    sys.exit(2)
stream = kshark.kshark_open(context, sys.argv[1].encode())
if stream < 0:
    sys.exit(1)
count = kshark.kshark_load_entries(context, stream, ctypes.byref(entries))
print(count)
sys.exit(count < 0)
