# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs functions as tests, and prints their results as TAP."""
import os
import tempfile
import time
import traceback
import unittest


def find(names):
    """Returns the functions of a module whose names begin with test_; names: its globals."""
    return [value for name, value in names.items() if name.startswith('test_')]


def run(tests):
    """Runs each test in an empty folder of its own. unittest.SkipTest skips one."""
    print(f'1..{len(tests)}', flush=True)
    before = os.getcwd()
    for number, test in enumerate(tests, 1):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            result, comment = run_one(test)
            os.chdir(before)
        took = time.monotonic() - began
        print(f'{result} {number} - {test.__name__} # {comment or f"{took:.1f} s"}',
              flush=True)


def run_one(test):
    """Returns the result and, if the test is skipped, why."""
    try:
        test()
        return 'ok', ''
    except unittest.SkipTest as reason:
        return 'ok', f'SKIP {reason}'
    except Exception:
        print('# ' + traceback.format_exc().rstrip().replace('\n', '\n# '))
        return 'not ok', ''
