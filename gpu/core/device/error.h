/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors of the compute layer, and what a VkResult is as one. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The error domain of the compute layer. */
#define GPU_ERROR (gpu_error_quark ())
GQuark gpu_error_quark (void);

typedef enum
{
  GPU_ERROR_NO_VULKAN,          /* no loader, or no working driver */
  GPU_ERROR_NO_DEVICE,          /* no device, or none matches the selector */
  GPU_ERROR_UNSUPPORTED,        /* the device lacks something needed */
  GPU_ERROR_TOO_LARGE,          /* a size is above a limit of the device */
  GPU_ERROR_OUT_OF_MEMORY,      /* host or device memory is exhausted */
  GPU_ERROR_LOST,               /* the device is lost; make a new one */
  GPU_ERROR_CANCELLED,          /* the caller cancelled the work, or the process
                                   ends */
  GPU_ERROR_FAILED,             /* any other error */
} GpuError;

/* Converts @result, a VkResult, to a GError whose message begins with @what and says what to
 * do. Returns TRUE for VK_SUCCESS. */
gboolean gpu_result_check (gint result, const gchar * what, GError ** error);

G_END_DECLS
