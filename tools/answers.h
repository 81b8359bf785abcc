/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Known answers of both engines for a small picture. Bit-exact results are compared with a
 * hash. Gaussian blurs, whose tolerance is in docs/gpublur.md, are compared with a
 * reference that is computed here in double precision. */
#pragma once

#include "work.h"

G_BEGIN_DECLS

#define CHECK_WIDTH 48
#define CHECK_HEIGHT 40

typedef struct
{
  CheckWork work;
  const gchar *sha256;          /* of all bytes of the frame; NULL: a Gaussian blur of
                                   GRAY8 with repeated edge pixels */
} CheckAnswer;

extern const CheckAnswer check_answers[];
extern const guint check_n_answers;

/* Returns the radius of the reference Gaussian in pixels: that of the blur, or a radius
 * large enough for the pyramid, which does not truncate the kernel. */
guint check_answer_get_radius (const CheckAnswer * answer);

/* Returns whether @bytes, the @n bytes of a frame, are correct; FALSE with @error set if
 * not. */
gboolean check_answer_is_right (const CheckAnswer * answer,
    const guint8 * bytes, gsize n, GError ** error);

/* Computes the answer on @device and checks it. Returns FALSE with @error set if it is
 * wrong or if the device failed. */
gboolean check_ask (GpuDevice * device, const CheckAnswer * answer,
    GError ** error);

G_END_DECLS
