/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "choice.h"
#include "candidate.h"

#include <string.h>

static gboolean
is_index (const gchar * selector, guint n_listed, guint * index)
{
  guint64 value;

  if (n_listed == 0 || !g_ascii_string_to_unsigned (selector, 10, 0,
          n_listed - 1, &value, NULL))
    return FALSE;
  *index = value;
  return TRUE;
}

/* An index or a UUID must match exactly. Anything else is matched as a part of the name,
 * including a number that is no valid index. */
static gboolean
info_matches (const GpuDeviceInfo * info, guint n_listed,
    const gchar * selector)
{
  guint index;

  if (!selector || !*selector)
    return TRUE;
  if (is_index (selector, n_listed, &index))
    return index == info->index;
  if (!g_ascii_strcasecmp (selector, info->uuid))
    return TRUE;

  /* Independent of the locale, which may define other lower-case letters. */
  g_autofree gchar *wanted = g_ascii_strdown (selector, -1);
  g_autofree gchar *name = g_ascii_strdown (info->name, -1);

  return strstr (name, wanted) != NULL;
}

gboolean
gpu_device_matches (GpuDevice * device, const gchar * selector)
{
  return info_matches (&device->info, device->n_listed, selector);
}

static gint
compare_candidates (gconstpointer a, gconstpointer b)
{
  const GpuDeviceInfo *one = &((const GpuCandidate *) a)->info;
  const GpuDeviceInfo *other = &((const GpuCandidate *) b)->info;

  return one->kind != other->kind ? (gint) one->kind - (gint) other->kind
      : (gint) one->index - (gint) other->index;
}

static void
set_none_matches (const GArray * candidates, const gchar * selector,
    GError ** error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < candidates->len; i++) {
    const GpuDeviceInfo *info =
        &g_array_index (candidates, GpuCandidate, i).info;

    g_string_append_printf (names, "%s%u: %s (%s)", i ? "; " : "", i,
        info->name, info->uuid);
  }
  if (candidates->len == 0)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "there is no Vulkan device; install a driver (for the CPU: "
        "mesa-vulkan-drivers)");
  else
    g_set_error (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "no Vulkan device matches \"%s\"; choose one by index, UUID or a part of its name: %s",
        selector, names->str);
}

/* Returns the candidates that match @selector, best first. */
static GArray *
choose_candidates (GpuDevice * device, const gchar * selector, GError ** error)
{
  g_autoptr (GArray) all = gpu_candidates_list (device->instance, error);
  g_autoptr (GArray) chosen = NULL;

  if (!all)
    return NULL;
  device->n_listed = all->len;
  chosen = g_array_new (FALSE, FALSE, sizeof (GpuCandidate));
  for (guint i = 0; i < all->len; i++) {
    GpuCandidate *candidate = &g_array_index (all, GpuCandidate, i);

    if (info_matches (&candidate->info, all->len, selector))
      g_array_append_vals (chosen, candidate, 1);
  }
  g_array_sort (chosen, compare_candidates);
  if (chosen->len > 0)
    return g_steal_pointer (&chosen);
  set_none_matches (all, selector, error);
  return NULL;
}

static void
set_instance (GpuDevice * device, GpuInstance * instance)
{
  g_clear_pointer (&device->instance, gpu_instance_unref);
  device->instance = instance;
  device->set_object_name = instance->set_object_name;
}

/* An instance knows only the drivers, and often only the devices, that existed when it
 * was created. If nothing matches, searches a new instance as well. */
GArray *
gpu_device_find_candidates (GpuDevice * device, const gchar * selector,
    GError ** error)
{
  g_autoptr (GError) missing = NULL;
  GpuInstance *instance;
  GArray *candidates;
  gboolean is_new;

  instance = gpu_instance_get (&is_new, error);
  if (!instance)
    return NULL;
  set_instance (device, instance);
  candidates = choose_candidates (device, selector, &missing);
  if (candidates)
    return candidates;
  if (is_new || missing->code != GPU_ERROR_NO_DEVICE) {
    g_propagate_error (error, g_steal_pointer (&missing));
    return NULL;
  }
  instance = gpu_instance_renew (error);
  if (!instance)
    return NULL;
  set_instance (device, instance);
  return choose_candidates (device, selector, error);
}
