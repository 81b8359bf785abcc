# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Ctrl-C and the like. The first one is a failure. Further ones are ignored, so that what
# was begun is removed.

import signal

from stylising.failure import Failure

# nohup, for one, starts programs with signals that they are to ignore.
SIGNALS = [number for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
           if signal.getsignal(number) != signal.SIG_IGN]


class Stopped(Failure):
    pass


def ignore():
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def give_to(fail):
    """fail(failure) is called at the first signal."""
    def handle(number, _):
        ignore()
        fail(Stopped("stopped", 128 + number))

    for number in SIGNALS:
        signal.signal(number, handle)


def raise_failure():
    """Wherever the program is at the first signal."""
    def fail(failure):
        raise failure

    give_to(fail)
