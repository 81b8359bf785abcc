/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties as a table: the definition of each property, and the struct field that
 * stores its value. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Flags of properties that can change in every state, and of those of them that a
 * GstController can drive, too: each value takes effect with the next frame. */
#define GST_GPU_PROPERTY_MUTABLE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_PLAYING)
#define GST_GPU_PROPERTY_LIVE (GST_GPU_PROPERTY_MUTABLE | GST_PARAM_CONTROLLABLE)

/* An enumeration type; static. */
typedef struct
{
  const gchar *type_name;
  const GEnumValue *values;     /* the last entry has no name */
} GstGpuEnum;

/* A row of the table. The last row has no name. All strings are static. The id of a property is
 * its place in the table, from 1. */
typedef struct
{
  const gchar *name, *nick, *blurb;
  GParamFlags flags;
  GType type;                   /* G_TYPE_BOOLEAN, INT, UINT, DOUBLE, ENUM or STRING; G_TYPE_BOXED:
                                   a GstStructure, which has no field */
  gsize offset;                 /* offset in the struct of the field of this type */
  gdouble init;                 /* default value; that of a string is empty */
  gdouble min, max;             /* range of a number */
  const GstGpuEnum *choices;    /* for G_TYPE_ENUM */
} GstGpuProperty;

/* Installs all properties and registers their enumeration types. Call this in class_init;
 * only one class may use a table. */
void gst_gpu_properties_install (const GstGpuProperty * properties,
    GObjectClass * object_class);

/* Sets all fields to their defaults. @fields must be zeroed; strings stay NULL, which is read
 * as empty. */
void gst_gpu_properties_init (const GstGpuProperty * properties,
    gpointer fields);

/* Implement set_property and get_property of GObjectClass. They take the object lock of
 * @element, which protects @fields; these own their strings. A change that the state of
 * @element does not allow is refused with a warning. */
void gst_gpu_properties_set (const GstGpuProperty * properties, gpointer fields,
    GstElement * element, guint id, const GValue * value);
void gst_gpu_properties_get (const GstGpuProperty * properties,
    gconstpointer fields, GstElement * element, guint id, GValue * value);

/* Returns the nick of @value, which must be one of the values. Static. */
const gchar *gst_gpu_enum_get_nick (const GstGpuEnum * choices, gint value);

G_END_DECLS
