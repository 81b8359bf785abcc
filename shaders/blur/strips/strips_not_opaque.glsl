// SPDX-License-Identifier: LGPL-2.1-or-later
// Pixels that are not bytes are never assumed to be opaque (STRIPS_HOPES).

void forget_alpha ()
{
}

void note_alpha (Column column)
{
}

bool was_opaque ()
{
  return false;
}
