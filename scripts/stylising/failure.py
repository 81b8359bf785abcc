# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Why there is no film: a line for the user, and the exit status.


class Failure(Exception):
    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


class Unreadable(Failure):
    """There is no picture in a file, or none that can be decoded."""
