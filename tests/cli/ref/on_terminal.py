"""Runs a command on a terminal of so many columns: on_terminal.py COLUMNS COMMAND...

Prints what the command wrote there, standard output and standard error, and gives its status.
"""
import fcntl
import os
import pty
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
reader, ready = os.pipe()
process, screen = pty.fork()
if process == 0:
    os.read(reader, 1)  # until the terminal has its size
    os.execvp(command[0], command)
fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
os.write(ready, b"!")
while True:
    try:
        part = os.read(screen, 65536)
    except OSError:  # the end, on Linux
        break
    if not part:
        break
    sys.stdout.buffer.write(part.replace(b"\r\n", b"\n"))
sys.stdout.buffer.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
