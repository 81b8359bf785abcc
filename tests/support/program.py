# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs that a test runs: with a limit of time, and with a pipe to read from."""
import contextlib
import os
import subprocess

TIMEOUT = 120


def run(*command, **environment):
    """Returns how it ended, and what it printed. A program that does not end is killed, and
    fails the test."""
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT,
                          stdin=subprocess.DEVNULL, env={**os.environ, **environment})


@contextlib.contextmanager
def open_pipe(path):
    """Gives a pipe to write to. It has a reader and does not end as long as it is open, so
    opening it blocks neither side."""
    os.mkfifo(path)
    pipe = os.open(path, os.O_RDWR)
    try:
        yield pipe
    finally:
        os.close(pipe)
        os.remove(path)
