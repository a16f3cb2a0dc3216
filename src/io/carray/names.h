/* What tensors and their arrays are called in C: the rule of <tessera/carray.h>. */
#ifndef TSR_IO_CARRAY_NAMES_H
#define TSR_IO_CARRAY_NAMES_H

#include <tessera/bundle.h>
#include "core/check.h"

/* Whether every character may be part of a C name. */
bool tsr__is_c_part(const char *text);

/* The names of one tensor; all names of a bundle differ. */
typedef struct tsr__c_name {
  char *tensor, *array;
} tsr__c_name;

typedef struct tsr__c_names {
  tsr__scratch memory;
  tsr__c_name *name; /* one for each tensor */
} tsr__c_names;

/* Takes n log n steps, whatever the names are. prefix is part of a C name. TSR_ENOMEM, TSR_ESCRATCH, TSR_EOVERFLOW. */
tsr_status tsr__c_names_init(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const char *prefix,
                             tsr__c_names *names);
void tsr__c_names_end(tsr__c_names *names);

#endif
