/* What the files of a POSIX system can do beyond C11. It comes before every other header. */
#ifndef TSR_IO_FILE_POSIX_H
#define TSR_IO_FILE_POSIX_H

#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700 /* fileno, fsync, fstat, fseeko, pread, readlink, mmap */
#define TSR__POSIX 1
#else
#define TSR__POSIX 0
#endif

#endif
