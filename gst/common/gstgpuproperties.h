/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties as a table: what is installed, and which field of a struct each one is. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* For values that frames take as they come. */
#define GST_GPU_PROPERTY_LIVE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING)

/* All of it static. */
typedef struct
{
  const gchar *type_name;
  const GEnumValue *values;     /* up to one without a name */
} GstGpuEnum;

/* A row of the table; the last one has no name. All strings are static. */
typedef struct
{
  guint id;
  const gchar *name, *nick, *blurb;
  GParamFlags flags;
  GType type;                   /* G_TYPE_BOOLEAN, INT, UINT, DOUBLE, ENUM or STRING */
  gsize offset;                 /* of the field, which has this type, in the struct */
  gdouble init;                 /* its default; NULL for a string */
  gdouble min, max;             /* of a number */
  const GstGpuEnum *choices;    /* of an enumeration */
} GstGpuProperty;

/* Installs all of them, and the enumerations that they are of. From class_init of the
 * only class that has them. */
void gst_gpu_properties_install (const GstGpuProperty * properties,
    GObjectClass * object_class);

/* All fields have their defaults; @fields is zeroed. */
void gst_gpu_properties_init (const GstGpuProperty * properties,
    gpointer fields);

/* One field. FALSE where @id is not in the table. The caller locks. A string is owned
 * by @fields. */
gboolean gst_gpu_properties_set (const GstGpuProperty * properties,
    gpointer fields, guint id, const GValue * value);
gboolean gst_gpu_properties_get (const GstGpuProperty * properties,
    gconstpointer fields, guint id, GValue * value);

/* Of one of the values. */
const gchar *gst_gpu_enum_get_nick (const GstGpuEnum * choices, gint value);

G_END_DECLS
