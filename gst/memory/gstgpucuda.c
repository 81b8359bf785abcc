/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpucuda.h"

#include "gpu/core/device/error.h"

#include <dlfcn.h>

#define DRIVER "libcuda.so.1"
#define LIBRARY "libgstcuda-1.0.so.0"

static GstGpuCuda cuda;

static gboolean
open_libraries (void)
{
  void *library = dlopen (LIBRARY, RTLD_NOW);
  void *driver = dlopen (DRIVER, RTLD_NOW);
  gboolean has_all = library && driver;

#define LOAD(type, name, parameters) \
  has_all = has_all && (*(void **) &cuda.name = dlsym (library, #name));
  GST_CUDA_FUNCTIONS (LOAD)
#undef LOAD
#define LOAD(type, name, end) \
  has_all = has_all && (*(void **) &cuda.name = dlsym (driver, #name end));
      CUDA_FUNCTIONS (LOAD)
#undef LOAD
      return has_all && cuda.gst_cuda_load_library ();
}

const GstGpuCuda *
gst_gpu_cuda_open (GError ** error)
{
  static gsize state;           /* 1: all is there, 2: it is not */

  if (g_once_init_enter (&state))
    g_once_init_leave (&state, open_libraries ()? 1 : 2);
  if (state == 1)
    return &cuda;
  g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "Frames are in CUDA memory, but GStreamer's CUDA library (%s) of version "
      "1.24 or newer, or NVIDIA's driver for CUDA (%s), could not be opened. "
      GST_GPU_CUDA_DOWNLOAD, LIBRARY, DRIVER);
  return NULL;
}
