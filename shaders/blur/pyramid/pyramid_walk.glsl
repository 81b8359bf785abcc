// SPDX-License-Identifier: LGPL-2.1-or-later
// For CPU devices, where a load takes longer than all that is done with it: a thread walks
// along an axis of a plane and loads each sample once. Nothing is shared. Loops have their
// conditions last, or their bodies would run once more, masked
// (docs/internals/design.md).

const int RADIUS = PYRAMID_WALK_RADIUS;

// --- indices of an axis, one after the other ---

struct Index
{
  int at;                       // may be beyond the edges
  int folded;                   // inside them,
  bool is_turned;               // counted from the other one
};

Index
index_from (int i, int n)
{
  // / and % are undefined for negative numbers: count from the edge outwards.
  bool before = i < 0;
  int distance = before ? -1 - i : i;
  int folded = distance % n;

  return Index (i, before ? n - 1 - folded : folded,
      (distance / n % 2 == 1) != before);
}

void
next_index (inout Index index, int n)
{
  bool folds = index.folded == n - 1;

  index.at++;
  index.folded = folds ? 0 : index.folded + 1;
  index.is_turned = index.is_turned != folds;
}

// The sample that stands for it, counted from the first of a plane's margin, if it has
// one; -1: black.
int
sample_from_edge (Index index, int n, int margin, uint mode)
{
  int clamped = clamp (index.at, -margin, n + margin - 1);

  if (mode == BLUR_EDGE_MIRROR || mode == BLUR_EDGE_WRAP)
    return margin + (mode == BLUR_EDGE_MIRROR && index.is_turned
        ? n - 1 - index.folded : index.folded);
  return mode == BLUR_EDGE_BLACK && margin == 0 && clamped != index.at ? -1
      : margin + clamped;
}

// --- sums on the way down ---

// Of samples of the level, the first of which is done next.
struct Sums
{
  vec4 values[4];
};

Sums
no_sums ()
{
  return Sums (vec4[] (vec4 (0), vec4 (0), vec4 (0), vec4 (0)));
}

// The first; the next takes its place.
vec4
take_first (inout Sums sums)
{
  vec4 first = sums.values[0];

  [[unroll]] for (int k = 0; k < 3; k++)
    sums.values[k] = sums.values[k + 1];
  sums.values[3] = vec4 (0);
  return first;
}

// --- the way up ---

// Indices of the finer plane from a place on, which need not be the first behind a whole
// one, up to where the next is passed.
int
steps_from (Place place, int fine, int coarse)
{
  return (2 * fine - place.part + 2 * coarse - 1) / (2 * coarse);
}
