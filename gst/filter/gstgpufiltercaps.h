/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which caps are offered: those of frames that can be worked on as the properties
 * are, and where there is nothing to be done all others behind them. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* As transform_caps of GstBaseTransformClass. */
GstCaps *gst_gpu_filter_get_other_caps (GstGpuFilter * self,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter);

/* Whether frames with these fixed caps of the sink pad can be more than passed,
 * whatever the properties are. */
gboolean gst_gpu_filter_can_work_on (GstGpuFilter * self, GstCaps * caps);

/* The answer to a query of the caps of the pad in @direction, which with no peer
 * behind it is the template, becomes what can be worked on, or passed. */
void gst_gpu_filter_narrow_caps (GstGpuFilter * self,
    GstPadDirection direction, GstQuery * query);

/* Where the frame at hand cannot have a property as it is set: asks upstream for others,
 * or posts a warning where upstream cannot help, or does not, once per start, however
 * often the property comes and goes. On the streaming thread. */
void gst_gpu_filter_note_ignored (GstGpuFilter * self);

G_END_DECLS
