/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of specialization constants per shader. */
#define GPU_MAX_CONSTANTS 48

/* A SPIR-V module, embedded by shaders/embed.py as static data. */
typedef struct
{
  const gchar *name;
  const guint32 *words;
  gsize size;                   /* bytes */
  struct
  {
    guint threads;              /* default workgroup size along this axis */
    gint constant;              /* index of the specialization constant that overrides
                                   it, or -1 */
  } group[3];
  guint32 bindings;             /* bit i is set: the shader uses binding i */
  guint32 writes;               /* bit i is set: it may write to binding i; it only reads
                                   the others that it uses */
  guint push_size;              /* bytes of its push constants */
} GpuShader;

G_END_DECLS
