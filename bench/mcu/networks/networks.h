/* The networks of MLPerf Tiny, by their shapes. Their weights here are random numbers, so that results mean nothing but which bits
 * they are. What follows the last layer (softmax) is left out.
 *
 *   kws   keyword spotting: DS-CNN, 49 x 10 features to 12 words
 *   ic    image classification: ResNet-8, 32 x 32 x 3 to 10 classes
 *   ad    anomaly detection: an autoencoder of dense layers, 640 to 640
 *   vww   visual wake words: MobileNetV1 of width 0.25, 96 x 96 x 3 to 2 classes */
#ifndef TSR_BENCH_NETWORKS_H
#define TSR_BENCH_NETWORKS_H

#include <string.h>

typedef enum net_kind { NET_END, NET_CONV, NET_DEPTHWISE, NET_DENSE, NET_MEAN, NET_ADD } net_kind;

/* A layer; values are numbered: 0 is the input, layer i makes value i + 1. */
typedef struct net_layer {
  net_kind kind;
  int from, with;      /* the values that it reads; with: of sums */
  int o, kh, kw, step; /* outputs, filter or window, stride; padding is SAME, of means there is none */
  int relu;
} net_layer;

typedef struct network {
  const char *name;
  int h, w, c; /* of the input; 1, 1, n: a row of numbers */
  const net_layer *layer;
} network;

enum { NET_MOST = 32 }; /* layers */

#define NET_PAIR(value, channels, stride) \
  {NET_DEPTHWISE, value, 0, 0, 3, 3, stride, 1}, { NET_CONV, value + 1, 0, channels, 1, 1, 1, 1 }

static const net_layer net_kws[] = {{NET_CONV, 0, 0, 64, 10, 4, 2, 1},
                                    NET_PAIR(1, 64, 1),
                                    NET_PAIR(3, 64, 1),
                                    NET_PAIR(5, 64, 1),
                                    NET_PAIR(7, 64, 1),
                                    {NET_MEAN, 9, 0, 0, 25, 5, 1, 0},
                                    {NET_DENSE, 10, 0, 12, 0, 0, 0, 0},
                                    {NET_END, 0, 0, 0, 0, 0, 0, 0}};

static const net_layer net_ic[] = {
    {NET_CONV, 0, 0, 16, 3, 3, 1, 1}, {NET_CONV, 1, 0, 16, 3, 3, 1, 1},   {NET_CONV, 2, 0, 16, 3, 3, 1, 0},
    {NET_ADD, 1, 3, 0, 0, 0, 0, 1},   {NET_CONV, 4, 0, 32, 3, 3, 2, 1},   {NET_CONV, 5, 0, 32, 3, 3, 1, 0},
    {NET_CONV, 4, 0, 32, 1, 1, 2, 0}, {NET_ADD, 6, 7, 0, 0, 0, 0, 1},     {NET_CONV, 8, 0, 64, 3, 3, 2, 1},
    {NET_CONV, 9, 0, 64, 3, 3, 1, 0}, {NET_CONV, 8, 0, 64, 1, 1, 2, 0},   {NET_ADD, 10, 11, 0, 0, 0, 0, 1},
    {NET_MEAN, 12, 0, 0, 8, 8, 1, 0}, {NET_DENSE, 13, 0, 10, 0, 0, 0, 0}, {NET_END, 0, 0, 0, 0, 0, 0, 0}};

#define NET_ROW(value, outputs, relu) \
  { NET_DENSE, value, 0, outputs, 0, 0, 0, relu }
static const net_layer net_ad[] = {NET_ROW(0, 128, 1),
                                   NET_ROW(1, 128, 1),
                                   NET_ROW(2, 128, 1),
                                   NET_ROW(3, 128, 1),
                                   NET_ROW(4, 8, 1),
                                   NET_ROW(5, 128, 1),
                                   NET_ROW(6, 128, 1),
                                   NET_ROW(7, 128, 1),
                                   NET_ROW(8, 128, 1),
                                   NET_ROW(9, 640, 0),
                                   {NET_END, 0, 0, 0, 0, 0, 0, 0}};

static const net_layer net_vww[] = {{NET_CONV, 0, 0, 8, 3, 3, 2, 1},
                                    NET_PAIR(1, 16, 1),
                                    NET_PAIR(3, 32, 2),
                                    NET_PAIR(5, 32, 1),
                                    NET_PAIR(7, 64, 2),
                                    NET_PAIR(9, 64, 1),
                                    NET_PAIR(11, 128, 2),
                                    NET_PAIR(13, 128, 1),
                                    NET_PAIR(15, 128, 1),
                                    NET_PAIR(17, 128, 1),
                                    NET_PAIR(19, 128, 1),
                                    NET_PAIR(21, 128, 1),
                                    NET_PAIR(23, 256, 2),
                                    NET_PAIR(25, 256, 1),
                                    {NET_MEAN, 27, 0, 0, 3, 3, 1, 0},
                                    {NET_DENSE, 28, 0, 2, 0, 0, 0, 0},
                                    {NET_END, 0, 0, 0, 0, 0, 0, 0}};

static const network networks[] = {
    {"kws", 49, 10, 1, net_kws}, {"ic", 32, 32, 3, net_ic}, {"ad", 1, 1, 640, net_ad}, {"vww", 96, 96, 3, net_vww}};

/* ---- what follows from the shapes ---- */

typedef struct net_value {
  int h, w, c;
} net_value;

/* The shapes of all values; how many layers. Which of them made a row of numbers follows from the layers. */
static inline int net_shapes(const network *n, net_value *values) {
  int count = 0;
  values[0] = (net_value){n->h, n->w, n->c};
  for (const net_layer *l = n->layer; l->kind != NET_END; l++, count++) {
    const net_value x = values[l->from];
    net_value y = x;
    if (l->kind == NET_CONV || l->kind == NET_DEPTHWISE) {
      y.h = (x.h + l->step - 1) / l->step;
      y.w = (x.w + l->step - 1) / l->step;
    }
    if (l->kind == NET_CONV) y.c = l->o;
    if (l->kind == NET_MEAN) y.h = y.w = 1;
    if (l->kind == NET_DENSE) y = (net_value){1, 1, l->o};
    values[count + 1] = y;
  }
  return count;
}

static inline int net_size(const net_value *v) { return v->h * v->w * v->c; }

/* Weights of a layer of x; each filter has so many. */
static inline int net_filter(const net_layer *l, const net_value *x) {
  return l->kind == NET_CONV ? l->kh * l->kw * x->c : l->kind == NET_DEPTHWISE ? l->kh * l->kw : net_size(x);
}
static inline int net_filters(const net_layer *l, const net_value *x) { return l->kind == NET_DEPTHWISE ? x->c : l->o; }
static inline int net_has_weights(const net_layer *l) { return l->kind != NET_MEAN && l->kind != NET_ADD; }

/* -128 … 127; the same numbers everywhere. */
static inline int net_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (int)(*state >> 24) - 128;
}

#endif
