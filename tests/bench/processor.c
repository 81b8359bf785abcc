/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "processor.h"

#include <sys/resource.h>

gdouble
get_processor_time (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
      + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}
