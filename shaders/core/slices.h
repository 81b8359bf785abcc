/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Constants of indirect dispatches in slices. Included from C and GLSL. */
#ifndef CORE_SLICES_H
#define CORE_SLICES_H

/* Maximum number of slices of an indirect dispatch. */
#define MAX_SLICES 64

#endif
