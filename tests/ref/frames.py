"""Frames of a stream, read by the format's description alone."""
import json
import struct


def frames(path):
    """Of each: its header, its metadata, its tensors' bytes, and where these begin."""
    with open(path, "rb") as f:
        while size := f.read(8):
            header = json.loads(f.read(struct.unpack("<Q", size)[0]))
            meta = header.pop("__metadata__", {})
            at = f.tell()
            data = f.read(max((t["data_offsets"][1] for t in header.values()), default=0))
            yield header, meta, data, at
