/* The formats that the library has, by name and number. */
#ifndef TESSERA_COMMAND_FORMATS_H
#define TESSERA_COMMAND_FORMATS_H

/* The name of format number i, from 1 on; NULL past the last. */
const char *format_at(int i);

/* The number of the format called name; 0 when there is none, which is reported with those that there are. */
int format_find(const char *name);

#endif
