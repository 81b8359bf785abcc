#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test_test_in.py TEST_IN

scripts/test-in where it cannot make a system: it must say so, and fail. Programs of the
machine are replaced, so nothing is made or mounted. Prints TAP.
"""
import os
import pathlib
import sys

import program
import tap

TEST_IN = sys.argv[1]

# By name: what a shell runs in place of programs, where all goes well.
MACHINE = {
    "id": "echo 0",
    "unshare": "true",
    "mmdebstrap": "true",
    "apt-get": "echo bookworm-security http://security; echo bookworm http://archive",
    "apt-config": "true",
}


def refuse(**programs):
    """Returns why no system of Debian 13 was tested."""
    os.mkdir("bin")
    for name, commands in {**MACHINE, **programs}.items():
        path = pathlib.Path("bin", name)
        path.write_text(f"#!/bin/sh\n{commands}\n")
        path.chmod(0o755)
    done = program.run(TEST_IN, "trixie", XDG_CACHE_HOME=os.getcwd(),
                       PATH=f"{os.getcwd()}/bin:{os.environ['PATH']}")
    assert done.returncode == 1, done
    assert "trixie WAS NOT TESTED: " in done.stderr.splitlines()[-1], done.stderr
    assert not list(pathlib.Path().glob("*/trixie")), "a system was kept"
    return done.stderr


def test_no_root_rights():
    assert "root" in refuse(id="echo 1000")


def test_no_mounts():
    assert "may not mount" in refuse(unshare="false")


def test_no_mirror():
    assert "apt-get update" in refuse(**{"apt-get": "true"})


def test_mirror_fails():
    assert "mmdebstrap" in refuse(unshare='[ "$2" = true ]')


tap.run(tap.find(globals()))
