# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs functions as tests, and prints their results as TAP."""
import traceback
import unittest


def run(tests):
    print(f'1..{len(tests)}', flush=True)
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f'ok {number} {test.__name__}', flush=True)
        except unittest.SkipTest as reason:
            print(f'ok {number} {test.__name__} # SKIP {reason}', flush=True)
        except Exception:
            print('# ' + traceback.format_exc().rstrip().replace('\n', '\n# '))
            print(f'not ok {number} {test.__name__}', flush=True)
