/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS

/* Rounding as the contract for output bytes defines it, for both signs, with
 * nothing left to the compiler's choice. */

/* floor (@value / 2^@bits), which C promises of >> for positive values only. */
static inline gint64
reference_shift (gint64 value, guint bits)
{
  return value >= 0 ? value >> bits : ~(~value >> bits);
}

/* floor (@value / 2^@bits + 1/2); @bits >= 1. */
static inline gint64
reference_shift_rounded (gint64 value, guint bits)
{
  return reference_shift (value + (G_GINT64_CONSTANT (1) << (bits - 1)), bits);
}

/* floor (@dividend / @divisor), @divisor > 0. */
static inline gint64
reference_floor_divide (gint64 dividend, gint64 divisor)
{
  gint64 quotient = dividend / divisor;

  return quotient * divisor > dividend ? quotient - 1 : quotient;
}

static inline gint64
reference_floor (gdouble real)
{
  return (gint64) floor (real);
}

/* A real number as an integer that holds it times 2^@bits. */
static inline gint64
reference_fixed (gdouble real, gint bits)
{
  return reference_floor (ldexp (real, bits) + 0.5);
}

G_END_DECLS
