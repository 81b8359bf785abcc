/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpuproperties.h"

static GParamSpec *
new_spec (const GstGpuProperty * row)
{
  GType type;

  switch (row->type) {
    case G_TYPE_BOOLEAN:
      return g_param_spec_boolean (row->name, row->nick, row->blurb,
          row->init != 0, row->flags);
    case G_TYPE_INT:
      return g_param_spec_int (row->name, row->nick, row->blurb, row->min,
          row->max, row->init, row->flags);
    case G_TYPE_UINT:
      return g_param_spec_uint (row->name, row->nick, row->blurb, row->min,
          row->max, row->init, row->flags);
    case G_TYPE_DOUBLE:
      return g_param_spec_double (row->name, row->nick, row->blurb, row->min,
          row->max, row->init, row->flags);
    case G_TYPE_ENUM:
      type = g_enum_register_static (row->choices->type_name,
          row->choices->values);
      gst_type_mark_as_plugin_api (type, 0);
      return g_param_spec_enum (row->name, row->nick, row->blurb, type,
          row->init, row->flags);
    case G_TYPE_STRING:
      return g_param_spec_string (row->name, row->nick, row->blurb, "",
          row->flags);
    case G_TYPE_BOXED:
      return g_param_spec_boxed (row->name, row->nick, row->blurb,
          GST_TYPE_STRUCTURE, row->flags);
    default:
      g_assert_not_reached ();
  }
}

void
gst_gpu_properties_install (const GstGpuProperty * properties,
    GObjectClass * object_class)
{
  for (guint i = 0; properties[i].name; i++)
    g_object_class_install_property (object_class, i + 1,
        new_spec (&properties[i]));
}

void
gst_gpu_properties_init (const GstGpuProperty * properties, gpointer fields)
{
  for (const GstGpuProperty * row = properties; row->name; row++) {
    gpointer field = G_STRUCT_MEMBER_P (fields, row->offset);

    if (row->type == G_TYPE_DOUBLE)
      *(gdouble *) field = row->init;
    else if (row->type == G_TYPE_UINT)
      *(guint *) field = row->init;
    else if (row->type != G_TYPE_STRING && row->type != G_TYPE_BOXED)
      *(gint *) field = row->init;
  }
}

/* Returns whether the element is in @state or below and is not changing to a higher state.
 * After a failed change GST_STATE_NEXT still has the higher state, so it is ignored. The
 * caller holds the object lock. */
static gboolean
stays_at_most (GstElement * element, GstState state)
{
  return GST_STATE (element) <= state && (GST_STATE_NEXT (element) <= state
      || GST_STATE_RETURN (element) == GST_STATE_CHANGE_FAILURE);
}

static void
set_field (GType type, gpointer field, const GValue * value)
{
  switch (type) {
    case G_TYPE_BOOLEAN:
      *(gboolean *) field = g_value_get_boolean (value);
      break;
    case G_TYPE_INT:
      *(gint *) field = g_value_get_int (value);
      break;
    case G_TYPE_UINT:
      *(guint *) field = g_value_get_uint (value);
      break;
    case G_TYPE_DOUBLE:
      *(gdouble *) field = g_value_get_double (value);
      break;
    case G_TYPE_ENUM:
      *(gint *) field = g_value_get_enum (value);
      break;
    case G_TYPE_STRING:
      g_free (*(gchar **) field);
      *(gchar **) field = g_value_dup_string (value);
      break;
  }
}

void
gst_gpu_properties_set (const GstGpuProperty * properties, gpointer fields,
    GstElement * element, guint id, const GValue * value)
{
  const GstGpuProperty *row = &properties[id - 1];
  /* In higher states the value has already been used. */
  GstState highest = row->flags & GST_PARAM_MUTABLE_PLAYING ? GST_STATE_PLAYING
      : row->flags & GST_PARAM_MUTABLE_READY ? GST_STATE_READY : GST_STATE_NULL;
  gboolean may_be_set;

  GST_OBJECT_LOCK (element);
  may_be_set = stays_at_most (element, highest);
  if (may_be_set)
    set_field (row->type, G_STRUCT_MEMBER_P (fields, row->offset), value);
  GST_OBJECT_UNLOCK (element);
  if (!may_be_set)
    GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS,
        ("\"%s\" stays as it is: set the element to %s before you change it.",
            row->name, gst_element_state_get_name (highest)), (NULL));
}

static void
get_field (GType type, gconstpointer field, GValue * value)
{
  const gchar *text;

  switch (type) {
    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, *(const gboolean *) field);
      break;
    case G_TYPE_INT:
      g_value_set_int (value, *(const gint *) field);
      break;
    case G_TYPE_UINT:
      g_value_set_uint (value, *(const guint *) field);
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, *(const gdouble *) field);
      break;
    case G_TYPE_ENUM:
      g_value_set_enum (value, *(const gint *) field);
      break;
    case G_TYPE_STRING:
      text = *(gchar * const *) field;
      g_value_set_string (value, text ? text : "");
      break;
  }
}

void
gst_gpu_properties_get (const GstGpuProperty * properties,
    gconstpointer fields, GstElement * element, guint id, GValue * value)
{
  const GstGpuProperty *row = &properties[id - 1];

  GST_OBJECT_LOCK (element);
  get_field (row->type, (const guint8 *) fields + row->offset, value);
  GST_OBJECT_UNLOCK (element);
}

const gchar *
gst_gpu_enum_get_nick (const GstGpuEnum * choices, gint value)
{
  const GEnumValue *choice = choices->values;

  while (choice->value != value)
    choice++;
  return choice->value_nick;
}
