/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What holds for every method. */
#pragma once

#include "blur_fixture.h"

G_BEGIN_DECLS

void blur_methods_add_tests (const Methods * methods);

G_END_DECLS
