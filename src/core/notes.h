/* What tsr_build_info says of what was found at run time. */
#ifndef TSR_CORE_NOTES_H
#define TSR_CORE_NOTES_H

#include <tessera/config.h>

#if TSR_HAVE_PLUGINS
/* The LAPACK that larger eigenvalue problems use, "none" where there is none: noted once, before anybody else sees it. */
void tsr__note_lapack(const char *name);
#endif

#endif
