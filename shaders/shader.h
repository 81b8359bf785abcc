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

  /* Changes of the words, in order, for a device that fetches texels (texels.py). A change is a
   * word, read with the macros below, and the words that it adds. For binding i of which words
   * are fetched, the changed module also has binding GPU_MAX_BINDINGS + i: a texel buffer with
   * the same bytes. */
  const guint32 *texels;        /* NULL: none */
  gsize n_texels;               /* words of the changes */
  guint32 fours;                /* bit i is set: a texel of binding i has four words, as the
                                   shader loads nothing but vectors of four; else one */
} GpuShader;

/* Of a change: the words that stay between the one before and this one, those that go, and those
 * that are added in their place. */
#define GPU_CHANGE_KEPT(change) ((change) >> 16)
#define GPU_CHANGE_DROPPED(change) ((change) >> 12 & 0xf)
#define GPU_CHANGE_ADDED(change) ((change) & 0xfff)

G_END_DECLS
