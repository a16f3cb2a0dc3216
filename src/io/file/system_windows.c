/* Files of Windows. The C library there takes paths in the code page of the user, so that a name in another script could not be opened, and
 * its offsets are of 32 bits: paths go to the system as UTF-16, offsets as 64 bits. */
#if defined(_WIN32) && !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include "io/file/system.h"

#if TSR_HAVE_STDIO && defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

enum { LONGEST_PATH = 1024 }; /* units of UTF-16; the system's own limit is 260 where programs do not ask for more */

typedef struct wide_path {
  wchar_t text[LONGEST_PATH];
} wide_path;

/* 0 or an errno, which is set as well. */
static int widen(const char *path, wide_path *wide) {
  const int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide->text, LONGEST_PATH);
  if (n == 0) errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EINVAL;
  return n > 0 ? 0 : errno;
}

/* The errno of the system's last error. */
static int last_error(void) {
  switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH: return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: return EACCES;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return EEXIST;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: return ENOMEM;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return ENOSPC;
    case ERROR_FILENAME_EXCED_RANGE: return ENAMETOOLONG;
    default: return EIO;
  }
}

static HANDLE handle_of(FILE *stream) { return (HANDLE)_get_osfhandle(_fileno(stream)); }

/* ---- streams ---- */

FILE *tsr__system_open(const char *path, const char *mode) {
  wide_path wide;
  wchar_t wide_mode[8] = {0};
  if (widen(path, &wide) != 0) return NULL;
  for (int i = 0; mode[i] != '\0' && i < 7; i++) wide_mode[i] = (wchar_t)mode[i];
  return _wfopen(wide.text, wide_mode);
}

/* The rights of a new file are those of its folder. */
int tsr__system_make(const char *path, bool is_private, FILE **stream) {
  wide_path wide;
  (void)is_private;
  if (widen(path, &wide) != 0) return errno;
  const int descriptor =
      _wopen(wide.text, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
  if (descriptor < 0) return errno;
  *stream = _fdopen(descriptor, "wb");
  if (*stream != NULL) return 0;
  const int error = errno;
  (void)_close(descriptor);
  (void)_wunlink(wide.text);
  return error;
}

static bool size_of(HANDLE file, uint64_t *bytes) {
  LARGE_INTEGER size;
  if (GetFileType(file) != FILE_TYPE_DISK || !GetFileSizeEx(file, &size)) return false;
  *bytes = (uint64_t)size.QuadPart;
  return true;
}

bool tsr__system_size(FILE *stream, uint64_t *bytes) { return size_of(handle_of(stream), bytes); }

bool tsr__system_tell(FILE *stream, uint64_t *offset) {
  const int64_t at = _ftelli64(stream);
  if (at >= 0) *offset = (uint64_t)at;
  return at >= 0;
}

bool tsr__system_seek(FILE *stream, uint64_t offset) {
  return offset <= INT64_MAX && _fseeki64(stream, (int64_t)offset, SEEK_SET) == 0;
}

/* Reading at an offset moves the system's own place in the file, which is the stream's: nobody reads a stream in both ways. */
int tsr__system_read_at(FILE *stream, uint64_t offset, void *bytes, size_t n) {
  enum { PART = 1 << 30 };
  if (offset + n < offset || offset + n > INT64_MAX) return EINVAL;
  for (size_t done = 0; done < n;) {
    const uint64_t at = offset + done;
    OVERLAPPED where = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
    const DWORD part = n - done < PART ? (DWORD)(n - done) : PART;
    DWORD some = 0;
    if (!ReadFile(handle_of(stream), (char *)bytes + done, part, &some, &where))
      return GetLastError() == ERROR_HANDLE_EOF ? EIO : last_error();
    if (some == 0) return EIO;
    done += some;
  }
  return 0;
}

int tsr__system_keep_mode(FILE *stream, const char *path) {
  (void)stream, (void)path;
  return 0;
}

int tsr__system_sync(FILE *stream) {
  if (GetFileType(handle_of(stream)) != FILE_TYPE_DISK) return 0;
  return _commit(_fileno(stream)) == 0 ? 0 : errno;
}

/* The move below has written it. */
int tsr__system_sync_folder(const char *folder) {
  (void)folder;
  return 0;
}

int tsr__system_replace(const char *name, const char *path) {
  wide_path from, to;
  if (widen(name, &from) != 0 || widen(path, &to) != 0) return errno;
  return MoveFileExW(from.text, to.text, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : last_error();
}

int tsr__system_remove(const char *path) {
  wide_path wide;
  if (widen(path, &wide) != 0) return errno;
  return DeleteFileW(wide.text) ? 0 : last_error();
}

/* ---- what is there ---- */

/* Names of devices (NUL, CON) have no attributes; they can be opened and are not on a disk. */
tsr__file_kind tsr__system_kind(const char *path) {
  wide_path wide;
  if (widen(path, &wide) != 0) return TSR__FILE_NONE;
  const HANDLE file = CreateFileW(wide.text, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (file == INVALID_HANDLE_VALUE) return TSR__FILE_NONE;
  BY_HANDLE_FILE_INFORMATION info;
  tsr__file_kind kind = TSR__FILE_SPECIAL;
  if (GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &info))
    kind = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? TSR__FILE_FOLDER : TSR__FILE_PLAIN;
  (void)CloseHandle(file);
  return kind;
}

/* Links are the system's business: few programs make any, and it follows them. */
int tsr__system_link(const char *path, char *text, size_t room, size_t *n) {
  (void)path, (void)text, (void)room;
  *n = 0;
  return 0;
}

uint64_t tsr__system_noise(void) {
  LARGE_INTEGER ticks;
  FILETIME now;
  GetSystemTimeAsFileTime(&now);
  (void)QueryPerformanceCounter(&ticks);
  return ((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime) ^ (uint64_t)ticks.QuadPart << 17;
}

long tsr__system_process(void) { return (long)GetCurrentProcessId(); }

/* ---- maps ---- */

#if TSR_HAVE_MMAP

/* The file can be replaced and removed while it is mapped, as elsewhere, as far as the system lets it. */
int tsr__system_map_open(const char *path, tsr__map_file *file) {
  wide_path wide;
  if (widen(path, &wide) != 0) return errno;
  const HANDLE handle = CreateFileW(wide.text, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL); /* folders are opened so */
  if (handle == INVALID_HANDLE_VALUE) return last_error();
  *file = (intptr_t)handle;
  return 0;
}

int tsr__system_map_look(tsr__map_file file, tsr__file_kind *kind, uint64_t *bytes) {
  BY_HANDLE_FILE_INFORMATION info;
  const HANDLE handle = (HANDLE)file;
  *bytes = 0;
  *kind = TSR__FILE_SPECIAL;
  if (GetFileType(handle) != FILE_TYPE_DISK) return 0;
  if (!GetFileInformationByHandle(handle, &info)) return last_error();
  *kind = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? TSR__FILE_FOLDER : TSR__FILE_PLAIN;
  *bytes = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
  return 0;
}

int tsr__system_map(tsr__map_file file, size_t bytes, bool writable, void **data) {
  const HANDLE section = CreateFileMappingW((HANDLE)file, NULL, writable ? PAGE_WRITECOPY : PAGE_READONLY, 0, 0, NULL);
  if (section == NULL) return last_error();
  *data = MapViewOfFile(section, writable ? FILE_MAP_COPY : FILE_MAP_READ, 0, 0, bytes);
  const int error = *data != NULL ? 0 : last_error();
  (void)CloseHandle(section); /* the view keeps it */
  return error;
}

void tsr__system_unmap(tsr__map_file file, void *data, size_t bytes) {
  if (bytes > 0) (void)UnmapViewOfFile(data);
  (void)CloseHandle((HANDLE)file);
}

#endif

#else
typedef int tsr__system_windows_none; /* a file has to declare something */
#endif
