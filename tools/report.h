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
  CHECK_WRONG = 1,              /* a device gave a wrong answer, or none */
  CHECK_NO_DEVICE = 2,          /* no device can be used */
} CheckStatus;

/* Checks the @n @answers on every device of the machine, writes a report to @to, and
 * returns the exit status. */
CheckStatus check_report (FILE * to, const CheckAnswer * answers, guint n);

G_END_DECLS
