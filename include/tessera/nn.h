/** @file nn.h
 *  The operations of neural networks. */
#ifndef TESSERA_NN_H
#define TESSERA_NN_H

#include <tessera/attention.h>
#include <tessera/conv.h>
#include <tessera/conv3d.h>
#include <tessera/conv_transpose.h>
#include <tessera/dense.h>
#include <tessera/dropout.h>
#include <tessera/embedding.h>
#include <tessera/kv_cache.h>
#include <tessera/loss.h>
#include <tessera/lrn.h>
#include <tessera/norm.h>
#include <tessera/pixel_shuffle.h>
#include <tessera/pool.h>
#include <tessera/quant.h>
#include <tessera/resize.h>
#include <tessera/rotary.h>
#include <tessera/softmax.h>

#endif
