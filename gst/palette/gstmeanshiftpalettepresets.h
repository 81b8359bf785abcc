/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gst/filter/gstgpufilterpresets.h"

G_BEGIN_DECLS

extern const GstGpuFilterPresets gst_mean_shift_palette_presets;

G_END_DECLS
