/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What both engines are known to make of a small picture: of what is defined to the
 * byte, a hash; of a Gaussian, which may be off by what docs/gpublur.md says, a sum in
 * double precision that is computed here. */
#pragma once

#include "work.h"

G_BEGIN_DECLS

#define CHECK_WIDTH 48
#define CHECK_HEIGHT 40

typedef struct
{
  CheckWork work;
  const gchar *sha256;          /* of all bytes of the frame; NULL: a Gaussian of
                                   GRAY8 with edges that are repeated */
} CheckAnswer;

extern const CheckAnswer check_answers[];
extern const guint check_n_answers;

/* The radius up to which a Gaussian is compared: its own, or what the pyramid, which cuts
 * none, has at all. */
guint check_answer_get_radius (const CheckAnswer * answer);

/* Whether @bytes, of a whole frame, are the answer. Sets @error where they are not. */
gboolean check_answer_is_right (const CheckAnswer * answer,
    const guint8 * bytes, gsize n, GError ** error);

/* Has @device answer. FALSE with @error set where the answer is wrong, or where it gave
 * none. */
gboolean check_ask (GpuDevice * device, const CheckAnswer * answer,
    GError ** error);

G_END_DECLS
