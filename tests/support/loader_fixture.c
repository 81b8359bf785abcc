/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "loader_fixture.h"

#include "gpu/core/device/instance.h"
#include "gpu_fixture.h"

#include <dlfcn.h>
#include <string.h>

FakeLoader *fake;

const GpuNeeds all_needs = {.buffers = GPU_MAX_BINDINGS, .subgroups = TRUE};

typedef enum
{
  LOADER_REAL,
  LOADER_MISSING,
  LOADER_FAKE,
} LoaderChoice;

static LoaderChoice loader_choice;
static const FakeLoader unchanged;

typedef void *(*OpenFunction) (const char *file, int mode);

/* In place of the C library's, for gpu/ is linked into this program. */
void *
dlopen (const char *file, int mode)
{
  OpenFunction open_module = (OpenFunction) dlsym (RTLD_NEXT, "dlopen");
  void *module;

  if (loader_choice == LOADER_REAL || !file
      || !g_str_has_prefix (file, "libvulkan.so"))
    return open_module (file, mode);
  if (loader_choice == LOADER_MISSING)
    return NULL;
  module = open_module (FAKE_LOADER, mode);
  g_assert_nonnull (module);
  fake = dlsym (module, "fake_loader");
  return module;
}

static void
choose (LoaderChoice choice)
{
  loader_choice = choice;
  gpu_instance_forget ();
}

void
use_fake_loader (void)
{
  choose (LOADER_FAKE);
  g_assert_nonnull (dlopen ("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL));
  *fake = unchanged;
}

void
use_no_loader (void)
{
  choose (LOADER_MISSING);
}

void
use_real_loader (void)
{
  if (fake)
    *fake = unchanged;
  choose (LOADER_REAL);
}

static void
run_with_fake (gconstpointer run)
{
  if (!gpu_fixture_device ()) {
    g_test_skip ("no device");
    return;
  }
  use_fake_loader ();
  ((GTestFunc) run) ();
  use_real_loader ();
}

void
loader_fixture_add_test (const gchar * path, GTestFunc run)
{
  g_test_add_data_func (path, run, run_with_fake);
}

void
list_devices (guint n, ...)
{
  va_list types;

  fake->replaces_devices = TRUE;
  fake->n_devices = n;
  va_start (types, n);
  for (guint i = 0; i < n; i++)
    fake->types[i] = va_arg (types, VkPhysicalDeviceType);
  va_end (types);
}

const gchar *
test_selector (void)
{
  return g_getenv ("GPU_TEST_DEVICE");
}

void
assert_refused (const gchar * selector, gint code, const gchar * words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gpu_device_open_own (selector, &all_needs, &error));
  g_assert_error (error, GPU_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

GpuDevice *
open_device (const gchar * selector)
{
  return OK (gpu_device_open_own (selector, &all_needs, &error));
}

static VkPhysicalDeviceIDProperties *
find_ids (VkPhysicalDeviceProperties2 * properties)
{
  VkPhysicalDeviceIDProperties *id = properties->pNext;

  while (id->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
    id = id->pNext;
  return id;
}

void
number_uuids (VkPhysicalDeviceProperties2 * properties, guint index)
{
  find_ids (properties)->deviceUUID[0] = 0xa0 + index;
}

void
number_drivers (VkPhysicalDeviceProperties2 * properties, guint index)
{
  find_ids (properties)->driverUUID[0] = 0xa0 + index;
}
