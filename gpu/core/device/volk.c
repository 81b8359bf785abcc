/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loader of Vulkan's functions: opens libvulkan at run time. */
#define VOLK_IMPLEMENTATION
#include <volk.h>
