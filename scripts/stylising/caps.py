# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The fields of caps, with every version of python3-gst-1.0, and without it.

from gi.repository import Gst


def get_fields(caps):
    """Returns the first structure of the caps."""
    structure = caps.get_structure(0)
    if isinstance(structure, Gst.Structure):
        return structure
    # With newer versions it belongs to the caps, and is lent to a "with".
    with structure as lent:
        return lent.copy()
