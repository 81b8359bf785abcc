/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of a family: one or several methods that share compute kernels, memory
 * and code. blur.c uses families only through this interface. The table in methods.c has
 * the family of each method. */
#pragma once

#include "tuning.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* A method, settings and frames. All members belong to the caller; none is NULL. */
typedef struct
{
  GpuBlurMethod method;         /* never AUTO; may differ from the settings' method */
  const GpuBlurSettings *settings;
  const GpuFrameInfo *info;     /* describes the frames */
} GpuBlurTask;

static inline const GpuPixelFormat *
gpu_blur_task_get_format (const GpuBlurTask * task)
{
  return gpu_pixels_get_format (task->info->pixels);
}

/* The arguments of gpu_blur_record() for one progressive frame or one field. All members
 * belong to the caller; none is NULL. */
typedef struct
{
  GpuStream *stream;            /* is recording */
  const GpuBlurSettings *settings;
  GpuBuffer *light;             /* the table of shaders/blur/light.h for the settings; if
                                   they have no light, it is bound but not read */
  const GpuFrame *in, *out;
  GpuBlurReport *report;        /* the method that runs and the precision are set; the
                                   family adds the stages */
} GpuBlurRecording;

typedef struct _GpuBlurFamilyType GpuBlurFamilyType;

/* Every family has a struct of its own, whose first member is this. */
typedef struct
{
  const GpuBlurFamilyType *type;
} GpuBlurFamily;

/* What a kernel is requested by: the arguments of gpu_kernel_request(). */
typedef struct
{
  const GpuShader *shader;      /* static data */
  guint32 constants[GPU_MAX_CONSTANTS];
  guint n_constants;
} GpuBlurWanted;

/* The kernels of a method. */
typedef enum
{
  GPU_BLUR_NEEDED_KERNELS,      /* those that run a task best */
  GPU_BLUR_ALL_KERNELS,         /* those that run it with any sigma and radius, perhaps
                                   more slowly */
} GpuBlurKernels;

struct _GpuBlurFamilyType
{
  /* Whether its kernels take so long to build that AUTO runs another method meanwhile, even
   * one whose kernels are not built either. */
  gboolean builds_slowly;

  GpuBlurFamily *(*create) (GpuDevice * device);
  void (*free) (GpuBlurFamily * family);

  /* May be NULL. Takes effect at the next preparation. */
  void (*set_tuning) (GpuBlurFamily * family, const GpuBlurTuning * tuning);

  /* The size of all its buffers, in bytes. */
  gsize (*get_memory) (GpuBlurFamily * family);

  /* Allocates buffers that are large enough for frames like @info, for any sigma and
   * radius and for each of its methods. If none of its methods can run, does nothing. On
   * FALSE, earlier preparations remain valid. Errors: TOO_LARGE, OUT_OF_MEMORY, LOST. */
  gboolean (*prepare) (GpuBlurFamily * family,
      const GpuBlurSettings * settings, const GpuFrameInfo * info,
      GError ** error);

  /* Whether the family can do @task. The functions below are only called with tasks for
   * which this is TRUE. */
  gboolean (*reaches) (GpuBlurFamily * family, const GpuBlurTask * task);

  /* Appends kernels of the method of @task to @wanted, an array of GpuBlurWanted; those that
   * a frame needs first come first. NULL: the two functions below are there instead, as some
   * of the family's kernels can stand in for others. */
  void (*list_kernels) (GpuBlurFamily * family, const GpuBlurTask * task,
      GpuBlurKernels which, GArray * wanted);

  /* Requests kernels of the method of @task. Errors: those of gpu_kernel_request(). */
  gboolean (*request) (GpuBlurFamily * family, const GpuBlurTask * task,
      GpuBlurKernels which, GpuKernelUrgency urgency, GError ** error);

  /* Whether kernels are built that run @task, so that a frame waits for none. */
  gboolean (*is_ready) (GpuBlurFamily * family, const GpuBlurTask * task);

  /* May be NULL: recording needs no plan. Makes the decisions that stay valid until settings
   * or frames change, and requests the missing kernels. The caller frees the plan with
   * g_free(), before the family. On errors, which are those of request(), returns NULL. */
  gpointer (*make_plan) (GpuBlurFamily * family, const GpuBlurTask * task,
      GError ** error);

  /* As gpu_blur_record(). @plan was made for the settings and frames of @recording; NULL if
   * the family makes none. The kernels are requested, and the buffers prepared. Adds stages to
   * the report. */
  gboolean (*record) (GpuBlurFamily * family, gconstpointer plan,
      const GpuBlurRecording * recording, GError ** error);
};

G_END_DECLS
