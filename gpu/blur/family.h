/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A family of methods: one or several, which share kernels, memory and code. blur.c knows
 * families by this alone, and by the table in methods.c which of them runs a method. */
#pragma once

#include "recording.h"
#include "task.h"
#include "tuning.h"
#include "workload.h"
#include "gpu/core/kernel/builder.h"

G_BEGIN_DECLS

typedef struct _GpuBlurFamilyType GpuBlurFamilyType;

/* Derived from by every type. */
typedef struct
{
  const GpuBlurFamilyType *type;
} GpuBlurFamily;

struct _GpuBlurFamilyType
{
  /* What the first frame needs is not all that frames like it need: the rest is built
   * in the background (expect()). */
  gboolean builds_in_parts;

  /* @builder is freed before the family is. */
  GpuBlurFamily *(*create) (GpuDevice * device, GpuBuilder * builder);
  void (*free) (GpuBlurFamily * family);

  /* Optional: from the next preparation on. */
  void (*set_tuning) (GpuBlurFamily * family, const GpuBlurTuning * tuning);

  /* Bytes of its buffers. */
  gsize (*get_memory) (GpuBlurFamily * family);

  /* As gpu_blur_max_radius(), for one of its methods. */
  guint (*get_max_radius) (GpuDevice * device, GpuBlurMethod method,
      GpuBlurPrecision precision, guint components);

  /* Makes room for frames like @info, whatever sigma and radius come to be, and whichever
   * of its methods runs; nothing, where none can. On FALSE, what was prepared before still
   * is. Errors: TOO_LARGE, OUT_OF_MEMORY, LOST. */
  gboolean (*prepare) (GpuBlurFamily * family,
      const GpuBlurSettings * settings, const GpuFrameInfo * info,
      GError ** error);

  /* Whether it can be done. What follows is for tasks that can. */
  gboolean (*reaches) (GpuBlurFamily * family, const GpuBlurTask * task);

  /* Adds what only this family knows to what gpu_blur_workload_init() counted. */
  void (*count) (GpuBlurFamily * family, const GpuBlurTask * task,
      GpuBlurWorkload * workload);

  /* Builds what a frame needs; @all: whatever sigma and radius come to be. Errors:
   * OUT_OF_MEMORY, LOST. */
  gboolean (*build) (GpuBlurFamily * family, const GpuBlurTask * task,
      gboolean all, GError ** error);

  /* Has built in the background what may serve later. */
  void (*expect) (GpuBlurFamily * family, const GpuBlurTask * task);

  /* What is decided once, until settings or frames change; builds what that needs and is
   * not built. The caller frees it with g_free(), before the family. NULL with @error set,
   * as by build(). */
  gpointer (*make_plan) (GpuBlurFamily * family, const GpuBlurTask * task,
      GError ** error);

  /* As gpu_blur_record(), for a @recording of which @plan is, in room that is prepared.
   * Adds the stages of its report. */
  gboolean (*record) (GpuBlurFamily * family, gconstpointer plan,
      const GpuBlurRecording * recording, GError ** error);
};

G_END_DECLS
