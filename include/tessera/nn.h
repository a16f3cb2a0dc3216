/** @file nn.h
 *  The operations of neural networks. */
#ifndef TESSERA_NN_H
#define TESSERA_NN_H

#include <tessera/conv.h>

#endif
