/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of others (gpu/core/memory/import.h) as a part of a recording. */
#pragma once

#include "stream.h"

G_BEGIN_DECLS

/* Copy @size bytes from or to @import. Offsets and sizes need not be multiples of 4. Outside of
 * these copies the memory belongs to other devices: they have written it before the submission,
 * and may use it again when that is done. */
void gpu_stream_copy_from_import (GpuStream * stream, GpuBuffer * import,
    gsize offset, GpuBuffer * to, gsize to_offset, gsize size);
void gpu_stream_copy_to_import (GpuStream * stream, GpuBuffer * from,
    gsize from_offset, GpuBuffer * import, gsize offset, gsize size);

G_END_DECLS
