/* Whether there is more than the C library. Included before everything else, because the system's headers look at what it
 * defines: fileno, fstat, fseeko, pread, fsync, realpath. */
#ifndef TSR_IO_POSIX_H
#define TSR_IO_POSIX_H

#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700
#define TSR__POSIX 1
#else
#define TSR__POSIX 0
#endif

#endif
