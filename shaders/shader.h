/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Specialization constants of a shader at most. */
#define GPU_MAX_CONSTANTS 32

/* A SPIR-V module that shaders/ embedded; static data. */
typedef struct
{
  const gchar *name;
  const guint32 *words;
  gsize size;                   /* bytes */
  struct
  {
    guint threads;              /* of a workgroup along this axis, unless... */
    gint constant;              /* ...this specialization constant says how
                                   many; -1: none does */
  } group[3];
  guint32 bindings;             /* bits of those that it looks at */
  guint push_size;              /* bytes of its push constants */
} GpuShader;

G_END_DECLS
