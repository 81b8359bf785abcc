/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The report of gst-gpu-check. */
#pragma once

#include "answers.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Exit statuses. */
typedef enum
{
  CHECK_ALL_RIGHT = 0,
  CHECK_WRONG = 1,              /* an answer of a device was, or it gave none */
  CHECK_NO_DEVICE = 2,          /* that can be used */
} CheckStatus;

/* Has every device of the machine give @answers, writes what comes of it to @to, and says
 * how it is. */
CheckStatus check_report (FILE * to, const CheckAnswer * answers, guint n);

G_END_DECLS
