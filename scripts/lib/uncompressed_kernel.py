"""Takes the uncompressed kernel out of a bzImage: `uncompressed_kernel.py BZIMAGE OUTPUT`.

qemu enters an ELF kernel directly (PVH). That saves the guest from unpacking itself, which takes
seconds under emulation. Offsets: Documentation/arch/x86/boot.rst of the kernel.
"""

import lzma
import pathlib
import struct
import subprocess
import sys

SETUP_SECTORS, MAGIC, PAYLOAD_OFFSET = 0x1F1, 0x202, 0x248


def main(source, target):
    image = pathlib.Path(source).read_bytes()
    if image[MAGIC : MAGIC + 4] != b"HdrS":
        sys.exit(f"{source} is not a bzImage")
    start, length = struct.unpack_from("<II", image, PAYLOAD_OFFSET)
    start += ((image[SETUP_SECTORS] or 4) + 1) * 512
    payload = image[start : start + length]
    if payload.startswith(b"\xfd7zXZ\0"):
        kernel = lzma.LZMADecompressor().decompress(payload)
    elif payload.startswith(b"\x28\xb5\x2f\xfd"):
        # The last four bytes are the unpacked size, which zstd would take for another frame.
        zstd = subprocess.run(
            ["zstd", "-dcq"], input=payload[:-4], stdout=subprocess.PIPE, check=True
        )
        kernel = zstd.stdout
    else:
        sys.exit(f"{source}: compressed in a way not known here: {payload[:6]!r}")
    if not kernel.startswith(b"\x7fELF"):
        sys.exit(f"{source}: what it holds is no ELF kernel")
    pathlib.Path(target).write_bytes(kernel)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
