# SPDX-License-Identifier: LGPL-2.1-or-later
#
# OUT appears when it is whole: until then it is in a hidden folder beside it.

import contextlib
import os
import pathlib
import tempfile

from stylising import signals
from stylising.failure import Failure


@contextlib.contextmanager
def begin(out):
    """Gives the path to write to. OUT stays as it was if there is an exception."""
    try:
        hidden = tempfile.TemporaryDirectory(prefix=".stylise-", dir=out.parent)
    except OSError as error:
        raise Failure(f"{out}: its folder cannot be written to: {error.strerror}") from None
    with hidden as name:
        folder = pathlib.Path(name)
        try:
            yield folder / out.name
            signals.ignore()
            for file in sorted(os.listdir(folder)):
                os.replace(folder / file, out.parent / file)
        except signals.Stopped as stopped:
            state = "is as it was" if out.exists() else "was not made"
            raise Failure(f"{stopped}; {out} {state}", stopped.status) from None
        except Failure as failure:
            raise Failure(name_seen(failure, folder, out)) from None
        except OSError as error:
            # Of a file that is open, it does not say the name.
            name = name_seen(error.filename or out, folder, out)
            raise Failure(f"{name}: {error.strerror}") from None
        finally:
            # The folder is now removed.
            signals.ignore()


def name_seen(text, folder, out):
    """The user looks for files where they are to be."""
    return str(text).replace(str(folder), str(out.parent))


def measure(target):
    """The bytes that were written, for people."""
    n_bytes = sum(file.stat().st_size for file in target.parent.iterdir())
    if n_bytes >= 1e6:
        return f"{n_bytes / 1e6:.1f} MB"
    return f"{n_bytes / 1e3:.0f} kB" if n_bytes >= 1e3 else f"{n_bytes} bytes"
