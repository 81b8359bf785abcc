/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pacer.h"

/* Assumed times of a unit of unknown work. Hardly any kernel takes three times as long on a
 * slow device of that class, so first dispatches are short. On a fast GPU no first frame is
 * cut into many pieces for that. */
#define FIRST_NS_CPU 150
#define FIRST_NS_INTEGRATED 1
#define FIRST_NS_DISCRETE 0.1

/* Maximum factors by which the learned time of a unit rises or falls per submission. The
 * limit on falling keeps dispatches within bounds after an untypically fast measurement. */
#define MOST_RISE 4.0
#define MOST_FALL 2.0

/* Where submissions end is estimated from the newest time of a unit, which may be far below the
 * learned time. It counts as no less than 1/n of that. So if all dispatches of a submission
 * suddenly take the learned time again, it takes n times its target: 250 ms. */
#define LEAST_PART 5

/* Work that takes less than this fraction (1/n) of a long submission does not count as
 * the reason for its length. */
#define SUBSTANTIAL_PART 4

/* After new work, a long submission, or a cut between two, the commands of this many
 * submissions are timed: the rest of the frame and some of the following ones. */
#define LOOKS 16

/* Dispatches do not become longer by shorter times: the launch of a dispatch and the
 * clock's precision distort them, and a dispatch of many items may have found few to do.
 * They count as this long where a submission is planned. */
#define LEAST_MEASURED_NS 20000

static gdouble
choose_first_ns (GpuDeviceKind device)
{
  switch (device) {
    case GPU_DEVICE_CPU:
    case GPU_DEVICE_OTHER:
      return FIRST_NS_CPU;
    case GPU_DEVICE_DISCRETE:
      return FIRST_NS_DISCRETE;
    default:
      return FIRST_NS_INTEGRATED;
  }
}

void
gpu_pacer_init (GpuPacer * pacer, GpuDeviceKind device)
{
  *pacer = (GpuPacer) {
    .first_ns = choose_first_ns (device),
    .compiles_late = device == GPU_DEVICE_CPU,
  };
  gpu_pacer_begin (pacer, FALSE);
}

gboolean
gpu_pacer_begin (GpuPacer * pacer, gboolean is_shared)
{
  gboolean looks = pacer->looks > 0;

  pacer->looks -= looks;
  pacer->recorded = 0;
  pacer->aims.dispatch_ns =
      is_shared ? GPU_PACER_SHARED_DISPATCH_NS : GPU_PACER_DISPATCH_NS;
  pacer->aims.submission_ns =
      is_shared ? GPU_PACER_SHARED_SUBMISSION_NS : GPU_PACER_SUBMISSION_NS;
  return looks;
}

/* --- kinds of work --- */

static GpuPacerKind *
find_kind (GpuPacer * pacer, gconstpointer key)
{
  for (guint i = 0; i < MIN (pacer->n_kinds, GPU_PACER_KINDS); i++)
    if (pacer->kinds[i].key == key)
      return &pacer->kinds[i];
  return NULL;
}

/* Returns the kind @key; adds it if it is not known. */
static GpuPacerKind *
get_kind (GpuPacer * pacer, gconstpointer key)
{
  GpuPacerKind *kind = find_kind (pacer, key);

  if (kind)
    return kind;
  kind = &pacer->kinds[pacer->n_kinds++ % GPU_PACER_KINDS];
  *kind = (GpuPacerKind) {
    .key = key,
    .ns = pacer->first_ns,
    .newest = pacer->first_ns,
  };
  pacer->looks = LOOKS;
  return kind;
}

static guint64
units_of (GpuPacer * pacer, gconstpointer key, gdouble ns)
{
  gdouble of_unit = key ? get_kind (pacer, key)->ns : pacer->first_ns;

  return CLAMP (ns / of_unit, 1, G_MAXUINT32);
}

gdouble
gpu_pacer_estimate (GpuPacer * pacer, gconstpointer key, guint64 units)
{
  const GpuPacerKind *kind;

  if (!key)
    return pacer->first_ns * units;
  kind = get_kind (pacer, key);
  return CLAMP (kind->newest, kind->ns / LEAST_PART, kind->ns) * units;
}

guint64
gpu_pacer_get_dispatch (GpuPacer * pacer, gconstpointer key)
{
  return units_of (pacer, key, pacer->aims.dispatch_ns);
}

guint64
gpu_pacer_get_rest (GpuPacer * pacer, gconstpointer key)
{
  return units_of (pacer, key, pacer->aims.submission_ns - pacer->recorded);
}

gboolean
gpu_pacer_take (GpuPacer * pacer, gconstpointer key, guint64 units)
{
  gdouble ns = gpu_pacer_estimate (pacer, key, units);

  if (pacer->recorded > 0 && pacer->recorded + ns > pacer->aims.submission_ns) {
    pacer->looks = LOOKS;
    return FALSE;
  }
  pacer->recorded += ns;
  return TRUE;
}

/* --- learning --- */

void
gpu_pacer_measured (GpuPacer * pacer, gconstpointer key, guint64 units,
    guint64 ns)
{
  GpuPacerKind *kind = find_kind (pacer, key);

  if (!kind)
    return;
  kind->units += units;
  kind->total += ns;
  kind->longest = MAX (kind->longest, ns);
}

/* Dispatches become shorter only if a dispatch or submission was too long. In a short
 * dispatch a unit seems to take longer, because the time to start and end the dispatch is
 * shared by few units. */
static void
learn_kind (const GpuPacer * pacer, GpuPacerKind * kind,
    const GpuPacerAims * aims, guint64 submission_ns)
{
  gboolean is_compiled = kind->was_timed || !pacer->compiles_late;
  gdouble measured = (gdouble) kind->total / kind->units;
  gboolean was_long = kind->longest > aims->dispatch_ns
      || (submission_ns > aims->submission_ns
      && kind->total >= submission_ns / SUBSTANTIAL_PART);

  if (measured < kind->ns)
    kind->ns = MAX (measured, kind->ns / MOST_FALL);
  else if (was_long && is_compiled)
    kind->ns = MIN (measured, kind->ns * MOST_RISE);
}

void
gpu_pacer_forget_unreported (GpuPacer * pacer)
{
  for (guint i = 0; i < MIN (pacer->n_kinds, GPU_PACER_KINDS); i++)
    if (pacer->kinds[i].units == 0)
      pacer->kinds[i].total = pacer->kinds[i].longest = 0;
}

void
gpu_pacer_learn (GpuPacer * pacer, const GpuPacerAims * aims,
    guint64 submission_ns)
{
  for (guint i = 0; i < MIN (pacer->n_kinds, GPU_PACER_KINDS); i++) {
    GpuPacerKind *kind = &pacer->kinds[i];

    if (kind->units == 0)
      continue;
    /* 0 ns: a clock that tells nothing. */
    if (kind->total > 0)
      kind->newest =
          (gdouble) MAX (kind->total, LEAST_MEASURED_NS) / kind->units;
    if (kind->total >= LEAST_MEASURED_NS)
      learn_kind (pacer, kind, aims, submission_ns);
    kind->was_timed |= kind->total > 0;
    kind->units = kind->total = kind->longest = 0;
  }
  if (submission_ns > aims->dispatch_ns)
    pacer->looks = LOOKS;
}
