/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests that say their name once, and what they ask of their process. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Defines a test without arguments, of which tests_add() knows. */
#define TEST(name) TEST_IN ("", name)

/* The same, of a group whose path, such as "group/", is between the prefix and the name. */
#define TEST_IN(group, name) \
  static void test_##name (void); \
  static void __attribute__ ((constructor)) \
  register_test_##name (void) \
  { \
    tests_register (group #name, test_##name); \
  } \
  static void \
  test_##name (void)

/* Called by TEST(). @name is static. @name is static. */
void tests_register (const gchar * name, GTestFunc run);

/* Calls @add, such as g_test_add_func(), with every test of the program: "@prefix" and its name,
 * in which underscores become dashes. */
void tests_add (const gchar * prefix,
    void (*add) (const gchar * path, GTestFunc run));

/* How many file descriptors this process has open, without those of files with a path: a thread of
 * the Vulkan driver opens and closes those of its cache whenever it likes. */
guint tests_count_files (void);

G_END_DECLS
