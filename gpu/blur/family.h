/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of a family: one or several methods that share compute kernels, memory
 * and code. blur.c uses families only through this interface. The table in methods.c has
 * the family of each method. */
#pragma once

#include "plane.h"
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

static inline GpuBlurPlane
gpu_blur_task_get_plane (const GpuBlurTask * task, guint index)
{
  return gpu_blur_plane_get (task->settings, gpu_blur_task_get_format (task),
      index);
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

#define GPU_BLUR_FAMILY_BUFFERS 6

/* The first member of every family's struct. */
typedef struct
{
  const GpuBlurFamilyType *type;
  GpuDevice *device;
  GpuBuffer *buffers[GPU_BLUR_FAMILY_BUFFERS];  /* NULL: not prepared */
} GpuBlurFamily;

/* What a kernel is requested by: the arguments of gpu_kernel_request(). */
typedef struct
{
  const GpuShader *shader;      /* static data */
  guint32 constants[GPU_MAX_CONSTANTS];
  guint n_constants;
} GpuBlurWanted;

static inline GpuKernel *
gpu_blur_wanted_request (const GpuBlurWanted * wanted, GpuDevice * device,
    GpuKernelUrgency urgency, GError ** error)
{
  return gpu_kernel_request (device, wanted->shader, wanted->constants,
      wanted->n_constants, urgency, error);
}

static inline gboolean
gpu_blur_wanted_is_built (const GpuBlurWanted * wanted, GpuDevice * device)
{
  return gpu_kernels_have (device, wanted->shader, wanted->constants,
      wanted->n_constants);
}

/* The kernels of a method. */
typedef enum
{
  GPU_BLUR_NEEDED_KERNELS,      /* those that run a task best */
  GPU_BLUR_ALL_KERNELS,         /* those that run it with any sigma and radius, perhaps
                                   more slowly */
} GpuBlurWhich;

struct _GpuBlurFamilyType
{
  /* Whether its kernels take so long to build that AUTO runs another method meanwhile, even
   * one whose kernels are not built either. */
  gboolean builds_slowly;

  gsize size;                   /* of the family's struct */

  /* May be NULL. Takes effect at the next preparation. */
  void (*set_tuning) (GpuBlurFamily * family, const GpuBlurTuning * tuning);

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
   * a frame needs first come first. */
  void (*list_kernels) (GpuBlurFamily * family, const GpuBlurTask * task,
      GpuBlurWhich which, GArray * wanted);

  /* Whether kernels are built that run @task, so that a frame waits for none. NULL: when the
   * needed ones are, as no others can stand in for them. */
  gboolean (*is_ready) (GpuBlurFamily * family, const GpuBlurTask * task);

  /* Makes the decisions that stay valid until settings or frames change, and requests the
   * missing kernels. The caller frees the plan with g_free(), before the family. On errors
   * (UNSUPPORTED, or those of gpu_kernel_request()), returns NULL. */
  gpointer (*make_plan) (GpuBlurFamily * family, const GpuBlurTask * task,
      GError ** error);

  /* Records the blur of one frame. @plan was made for the settings and frames of @recording; the
   * family may improve it, when better kernels are built. The buffers are prepared. Adds stages
   * to the report. */
  void (*record) (GpuBlurFamily * family, gpointer plan,
      const GpuBlurRecording * recording);
};

/* Methods that are lists of passes over planes (passes/pass.h). */
extern const GpuBlurFamilyType gpu_blur_passes_type;

/* Marching strips: one dispatch, in which each group moves down a strip of columns and keeps row
 * sums in a ring in shared memory. A thread computes several outputs on each axis: weighted sums
 * (shaders/blur/strips/strips.comp), or integer sums of boxes of whole half-widths over bytes
 * (box_strips.comp). */
extern const GpuBlurFamilyType gpu_blur_strips_type;

/* Gaussians without a radius that are wide enough, on planes that are not too small for the
 * Gaussian and not too large for the device. A plane is reduced in steps to a level on which the
 * Gaussian is narrow; there it is applied, and the level is scaled up again (pyramid/levels.h,
 * shaders/blur/pyramid/pyramid_*.comp). The cost of a frame hardly depends on sigma, and the
 * Gaussian is not cut off at a radius. */
extern const GpuBlurFamilyType gpu_blur_pyramid_type;

/* The bilateral filter (Tomasi and Manduchi, Bilateral Filtering for Gray and Color Images,
 * 1998), for frames of bytes. GPU_BLUR_DIRECT_SHARED filters the whole window at once.
 * GPU_BLUR_SEPARABLE filters rows and then columns (Pham and van Vliet, Separable Bilateral
 * Filtering for Fast Video Preprocessing, 2005). docs/internals/design.md defines both. */
extern const GpuBlurFamilyType gpu_blur_bilateral_type;

/* The largest radius for which AUTO filters the whole window on a GPU: 169 taps. */
#define GPU_BLUR_BILATERAL_AUTO_RADIUS 6

G_END_DECLS
