/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "device.h"

G_BEGIN_DECLS

/* The device's pipeline cache, kept in the user's cache directory so that
 * shaders are compiled once per driver. A file is checked against its own
 * checksum before a driver sees it, and replaced atomically, so that neither
 * corruption nor concurrent writers do harm. Failures are not errors: the
 * cache then starts empty or is not kept. */
void gpu_pipeline_cache_load (GpuDevice * device);

/* Writes the cache when pipelines were built since it was loaded. */
void gpu_pipeline_cache_save (GpuDevice * device);

G_END_DECLS
