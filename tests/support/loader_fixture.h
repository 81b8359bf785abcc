/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of opening devices share: the loader, or what stands in for it. */
#pragma once

#include "fake_loader.h"
#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* What the fake loader changes; NULL before it is first used. */
extern FakeLoader *fake;

/* Each until the next. A device that is open does not depend on it. The fake one
 * begins unchanged, and is to be given up for the real one. */
void use_no_loader (void);
void use_fake_loader (void);
void use_real_loader (void);

/* As gpu_fixture_add_test(), for tests that use the fake one. */
void loader_fixture_add_test (const gchar * path, GTestFunc run);

/* The fake one lists @n devices, of these VkPhysicalDeviceTypes. */
void list_devices (guint n, ...);

/* An edit_properties: devices that differ in their UUIDs. */
void number_uuids (VkPhysicalDeviceProperties2 * properties, guint index);

/* Another: one device that several drivers list. */
void number_drivers (VkPhysicalDeviceProperties2 * properties, guint index);

/* The device that the tests run on. */
const gchar *test_selector (void);

/* What the two below ask a device for: as much as any engine. */
extern const GpuNeeds all_needs;

/* A device of the caller's own; fails the test where there is none. */
GpuDevice *open_device (const gchar * selector);
/* Whatever @selector asks for is not to be had, for a reason that names
 * @words. */
void assert_refused (const gchar * selector, gint code, const gchar * words);

G_END_DECLS
