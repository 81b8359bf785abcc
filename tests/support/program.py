# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs that a test runs: with a limit of time, and with a pipe to read from. The limit
begins anew whenever they print something, as a busy machine makes all of them slow."""
import contextlib
import os
import re
import signal
import subprocess
import sys
import time

TIMEOUT = 120
# The validation layer of Debian 13 says on standard output where its messages go.
LAYER_NOTE = re.compile("^Validation Layer Info.*\n", re.MULTILINE)

# A shell has its jobs in the background ignore SIGINT, and these their children.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Meson ends a test that takes too long by this signal, which does not reach programs in
# sessions of their own: the blocks that kill them must come to their ends.
signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


class Limit:
    """How long a test waits for something to happen, from the last time that it did."""

    def __init__(self):
        self.restart()

    def restart(self):
        self.end = time.monotonic() + TIMEOUT

    def check(self, explanation):
        assert time.monotonic() < self.end, explanation


def start(*command, **options):
    """In a session of its own, so that signals reach what it starts, too."""
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True,
                            **options)


def kill(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def read(process):
    """Returns what it printed until it ended."""
    limit, n_read = Limit(), 0
    while True:
        try:
            return process.communicate(timeout=1)
        except subprocess.TimeoutExpired as silence:
            printed = (silence.output or b"") + (silence.stderr or b"")
            if len(printed) > n_read:
                limit.restart()
            n_read = len(printed)
            limit.check(f"{process.args} hangs: {printed.decode(errors='replace')}")


def run(*command, **environment):
    """Returns how it ended, and what it printed itself. A program that hangs is killed, and
    fails the test."""
    process = start(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    errors="replace", env={**os.environ, **environment})
    try:
        out, errors = read(process)
    except BaseException:
        kill(process)
        raise
    return subprocess.CompletedProcess(command, process.returncode,
                                       LAYER_NOTE.sub("", out), errors)


@contextlib.contextmanager
def running(*command, **options):
    """Runs a program that ends with Ctrl-C, which it gets at the end of the block."""
    process = start(*command, **options)
    try:
        yield process
        assert process.poll() is None, f"it ended by itself, with {process.returncode}"
        os.killpg(process.pid, signal.SIGINT)
        process.wait(TIMEOUT)
    finally:
        kill(process)


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
