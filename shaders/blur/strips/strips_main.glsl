// SPDX-License-Identifier: LGPL-2.1-or-later
// The main function of shaders that march down strips. They must define own_column(), the
// column that this thread sums down, and march().

// Whether some pixels of the section, one for each thread, are all opaque. This saves most
// groups that are not opaque a vain attempt.
bool looks_opaque ()
{
  uint thread = gl_LocalInvocationID.x;
  uint row = begin + thread / STRIPS_COLUMNS * (end - begin) * STRIPS_COLUMNS
      / gl_WorkGroupSize.x;
  int column = clamp (own_column (), 0, columns - 1);
  bool looks;

  forget_alpha ();
  note_alpha (load_column (uint (column), source_at + row * source_stride));
  if (thread == 0)
    ring[SEEN_THROUGH] = 0;
  barrier ();
  if (!was_opaque ())
    ring[SEEN_THROUGH] = 1;
  barrier ();
  looks = ring[SEEN_THROUGH] == 0;
  barrier ();
  return looks;
}

void main ()
{
  find_plane ();
  find_section ();
  if (HOPES && looks_opaque ()) {
    opaque = true;
    if (march ())
      return;
  }
  opaque = false;
  march ();
}
