/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiles volk, which loads libvulkan at run time. */
#define VOLK_IMPLEMENTATION
#include <volk.h>
