/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpugl.h"

#include "gpu/core/device/error.h"

#include <dlfcn.h>

#define LIBRARY "libgstgl-1.0.so.0"

static GstGpuGl gl;

static gboolean
open_library (void)
{
  void *library = dlopen (LIBRARY, RTLD_NOW);
  gboolean has_all = library != NULL;

#define LOAD(name) \
  has_all = has_all && (*(void **) &gl.name = dlsym (library, #name));
  GST_GPU_GL_FUNCTIONS (LOAD)
#undef LOAD
      return has_all;
}

const GstGpuGl *
gst_gpu_gl_open (GError ** error)
{
  static gsize state;           /* 1: all is there, 2: it is not */

  if (g_once_init_enter (&state))
    g_once_init_leave (&state, open_library ()? 1 : 2);
  if (state == 1)
    return &gl;
  g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "Frames are in GL memory, but GStreamer's GL library (%s) could not be "
      "opened. " GST_GPU_GL_DOWNLOAD, LIBRARY);
  return NULL;
}
