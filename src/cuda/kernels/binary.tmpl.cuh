/* Functions of two numbers, for a compute type C: the host's. */
#include "ops/binary/numbers.tmpl.h"
