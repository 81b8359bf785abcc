# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Runs scripts/stylise, whose path is the argument of the test program, and functions that
# test it.

import contextlib
import io
import os
import signal
import sys

import program
import tap
from stylising import command, pipelines
from stylising.pipelines import Failure

STYLISE = sys.argv[1]
HANDLERS = {number: signal.getsignal(number) for number in pipelines.SIGNALS}
# Else it is said on standard error that the CPU is used, where it is.
os.environ["GST_GPU_ALLOW_CPU"] = "1"


def stylise(*arguments):
    """Returns the line that it prints."""
    done = program.run(STYLISE, *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1, done.stdout
    return done.stdout


def run_here(*arguments):
    """As stylise(), but without another process."""
    try:
        return command.run(arguments)
    finally:
        # Further signals are ignored after a run.
        for number, handler in HANDLERS.items():
            signal.signal(number, handler)


def fail(*arguments, **environment):
    """Returns the line of a run that must fail, and leave nothing."""
    before = sorted(os.listdir())
    done = program.run(STYLISE, *arguments, **environment)
    assert done.returncode == 1 and not done.stdout, done
    assert done.stderr.count("\n") == 1, done.stderr
    assert sorted(os.listdir()) == before, os.listdir()
    return done.stderr


def fail_here(*arguments):
    """As fail(), but without another process."""
    before = sorted(os.listdir())
    try:
        raise AssertionError(run_here(*arguments))
    except Failure as failure:
        assert sorted(os.listdir()) == before, os.listdir()
        return str(failure)


def refuse(*arguments):
    """Returns the message for arguments that must be refused."""
    usage = io.StringIO()
    try:
        with contextlib.redirect_stderr(usage):
            command.parse(arguments)
    except Failure as failure:
        return str(failure)
    except SystemExit:
        return usage.getvalue()
    raise AssertionError(f"{arguments} are accepted")


@contextlib.contextmanager
def interrupted(owner, name):
    """Ctrl-C is pressed at each call of a function of a module or of a class."""
    def call(*arguments, **options):
        os.kill(os.getpid(), signal.SIGINT)
        return function(*arguments, **options)

    function = getattr(owner, name)
    handlers = {number: signal.getsignal(number) for number in pipelines.SIGNALS}
    pipelines.raise_at_signal()
    setattr(owner, name, call)
    try:
        yield
    finally:
        setattr(owner, name, function)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def run(functions):
    """Runs the tests of a module; functions: its globals."""
    pipelines.find_plugins()
    tap.run(tap.find(functions))
    # Debian 13's validation layer frees in exit() what the threads of all instances use, if
    # another instance of the process, such as GStreamer's own, was made last.
    os._exit(0)
