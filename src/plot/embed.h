/* Cells as a PNG image within the text of an SVG. */
#ifndef TSR_PLOT_EMBED_H
#define TSR_PLOT_EMBED_H

#include <tessera/print.h>
#include <tessera/plot.h>

#if TSR_HAVE_PLOT

/* Text on its way to a sink. */
typedef struct tsr__plot_writer {
  const tsr_sink *sink;
  tsr_status status; /* the sink's first failure; nothing is written after it */
  int used;
  char buffer[512];
} tsr__plot_writer;

void tsr__writer_char(tsr__plot_writer *w, char c);
void tsr__writer_text(tsr__plot_writer *w, const char *text);
void tsr__writer_flush(tsr__plot_writer *w);

/* The image as base64 of a PNG: 0xAARRGGBB, row by row. Its bytes are stored rather than deflated, so that they are the same in every build. */
void tsr__embed_png(tsr__plot_writer *w, const uint32_t *colors, int columns, int rows);

#endif

#endif
