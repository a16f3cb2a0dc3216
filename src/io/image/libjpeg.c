/* All that is said to libjpeg, and the only place that longjmp leaves from: no frame of ours with something to give back
 * lies between a guarded step and the library. */
#include "io/image/jpeg.h"

#if TSR_HAVE_STDIO && TSR_HAVE_JPEG

#include "core/text.h"

#include <stdio.h> /* jpeglib.h needs it first */

#include <jpeglib.h>
#include <limits.h>
#include <setjmp.h>
#include <string.h>

/* A block of 64 pixels takes at least a bit of the file; progressive files come in at most so many scans, and keep
 * numbers of 2 bytes for all pixels meanwhile. */
enum { MOST_OF_A_BYTE = 8 * 64, SCANS = 250, OWN_BYTES = 16 << 20, BUFFER = 4096, DEFAULT_QUALITY = 90 };

typedef struct job {
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  struct jpeg_destination_mgr destination;
  struct jpeg_decompress_struct in;
  struct jpeg_compress_struct out;
  const tsr__image_call *call;
  /* reading */
  const tsr__image_file *file;
  tsr__pixels image; /* as it is given out */
  int orientation;
  uint8_t *pixels;
  JSAMPLE *row; /* of the decoder */
  /* writing */
  const tsr_sink *sink;
  const tsr_jpeg_save_options *options;
  size_t written;
  tsr__jpeg_row *fill;
  void *user;
  uint8_t buffer[BUFFER];

  tsr_status status; /* of what ended the step: TSR_EFORMAT unless someone knows better */
  char text[JMSG_LENGTH_MAX];
  jmp_buf jump;
} job;

#define REFUSE(j, code, ...) TSR__FAIL((j)->call->ctx, code, (j)->call->op, NULL, __VA_ARGS__)

/* ---- what libjpeg calls ---- */

static void give_up(j_common_ptr info) {
  job *j = info->client_data;
  info->err->format_message(info, j->text);
  if (info->err->msg_code == 56 /* JERR_OUT_OF_MEMORY */) j->status = TSR_ENOMEM;
  longjmp(j->jump, 1);
}

/* Warnings are about files that are broken, but not so that a viewer would mind. */
static void on_message(j_common_ptr info, int level) {
  if (level < 0) give_up(info);
}

static void say_nothing(j_common_ptr info) { (void)info; }

static void on_progress(j_common_ptr info) {
  job *j = info->client_data;
  if (!info->is_decompressor || j->in.input_scan_number <= SCANS) return;
  tsr__text text;
  tsr__text_init(&text, j->text, sizeof j->text);
  tsr__text_string(&text, "more than 250 scans");
  longjmp(j->jump, 1);
}

static void set_up_errors(job *j) {
  (void)jpeg_std_error(&j->errors);
  j->errors.error_exit = give_up;
  j->errors.emit_message = on_message;
  j->errors.output_message = say_nothing;
  j->progress.progress_monitor = on_progress;
}

/* Runs a step; false when libjpeg gave up in it. All that a step changes lies in the job. */
static bool guarded(job *j, void (*step)(job *j)) {
  if (setjmp(j->jump) != 0) return false;
  step(j);
  return true;
}

/* ---- bytes that are read ---- */

static void start_source(j_decompress_ptr in) { (void)in; }

static boolean no_more(j_decompress_ptr in) {
  job *j = in->client_data;
  tsr__text text;
  tsr__text_init(&text, j->text, sizeof j->text);
  tsr__text_string(&text, "the file ends too early");
  longjmp(j->jump, 1);
}

static void skip(j_decompress_ptr in, long n) {
  if (n <= 0) return;
  if ((size_t)n > in->src->bytes_in_buffer) (void)no_more(in);
  in->src->next_input_byte += n;
  in->src->bytes_in_buffer -= (size_t)n;
}

static void set_up_reading(job *j) {
  j->in.err = &j->errors;
  j->in.client_data = j;
  jpeg_create_decompress(&j->in);
  j->in.client_data = j; /* it is cleared there */
  j->in.progress = &j->progress;
  j->source = (struct jpeg_source_mgr){.next_input_byte = j->file->bytes,
                                       .bytes_in_buffer = j->file->n,
                                       .init_source = start_source,
                                       .fill_input_buffer = no_more,
                                       .skip_input_data = skip,
                                       .resync_to_restart = jpeg_resync_to_restart,
                                       .term_source = start_source};
  j->in.src = &j->source;
  jpeg_save_markers(&j->in, JPEG_APP0 + 1, 0xffff);
}

static size_t place_of(const job *j) { return j->file->n - j->source.bytes_in_buffer; }

/* ---- reading ---- */

static void read_header(job *j) {
  (void)jpeg_read_header(&j->in, TRUE);
  j->in.out_color_space = j->in.num_components == 1 ? JCS_GRAYSCALE : j->in.num_components == 4 ? JCS_CMYK : JCS_RGB;
  for (const struct jpeg_marker_struct *m = j->in.marker_list; m != NULL && j->orientation == 0; m = m->next)
    if (m->data_length >= 6 && memcmp(m->data, "Exif\0\0", 6) == 0)
      j->orientation = tsr__exif_orientation(m->data, m->data_length);
  if (j->orientation == 0) j->orientation = 1;
}

/* Whether the file says no more than its bytes can hold. */
static tsr_status check_header(job *j) {
  const uint64_t pixels = (uint64_t)j->in.image_width * j->in.image_height;
  const int channels = j->in.num_components;
  const bool turned = j->orientation >= 5;
  if (j->in.arith_code) return REFUSE(j, TSR_EUNSUPPORTED, "%sit is coded arithmetically", j->call->where);
  if (channels != 1 && channels != 3 && channels != 4)
    return REFUSE(j, TSR_EUNSUPPORTED, "%s%d channels are no colours", j->call->where, channels);
  if (pixels / MOST_OF_A_BYTE > j->file->size)
    return REFUSE(j, TSR_EFORMAT, "%s%l x %l pixels cannot be in %l bytes", j->call->where, (int64_t)j->in.image_width,
                  (int64_t)j->in.image_height, (int64_t)j->file->size);
  j->image = (tsr__pixels){.width = turned ? j->in.image_height : j->in.image_width,
                           .height = turned ? j->in.image_width : j->in.image_height,
                           .channels = channels == 1 ? 1 : 3,
                           .bits = 8};
  const uint64_t own = OWN_BYTES + 4 * pixels * (uint64_t)channels;
  j->in.mem->max_memory_to_use = own < INT64_MAX ? (long)own : LONG_MAX;
  return j->file->allow(j->file->user, &j->image);
}

/* Four inks, of which Adobe's files keep what is left of white. */
static void inks_to_colors(const job *j, JSAMPLE *row) {
  for (JDIMENSION x = 0; x < j->in.output_width; x++) {
    const unsigned black = j->in.saw_Adobe_marker ? row[4 * x + 3] : 255u - row[4 * x + 3];
    for (unsigned c = 0; c < 3; c++) {
      const unsigned ink = j->in.saw_Adobe_marker ? row[4 * x + c] : 255u - row[4 * x + c];
      row[3 * x + c] = (JSAMPLE)((ink * black + 127) / 255);
    }
  }
}

/* A row of the file as it is in the image: 1 as it is, 2 mirrored, 3 upside down, 4 both; 5 to 8 rows are columns. */
static void put_row(job *j, size_t y) {
  const size_t n = (size_t)j->image.channels, width = j->in.output_width, height = j->in.output_height;
  const int o = j->orientation;
  const bool from_right = o == 2 || o == 3 || o == 7 || o == 8, from_below = o == 3 || o == 4 || o == 6 || o == 7;
  const size_t line = from_below ? height - 1 - y : y;
  if (o == 1) {
    memcpy(j->pixels + y * width * n, j->row, width * n);
    return;
  }
  for (size_t x = 0; x < width; x++) {
    const size_t at = from_right ? width - 1 - x : x;
    const size_t to = o >= 5 ? at * height + line : line * width + at;
    for (size_t c = 0; c < n; c++) j->pixels[to * n + c] = j->row[x * n + c];
  }
}

static void read_rows(job *j) {
  (void)jpeg_start_decompress(&j->in);
  j->row = j->in.mem->alloc_sarray((j_common_ptr)&j->in, JPOOL_IMAGE,
                                   j->in.output_width * (JDIMENSION)j->in.output_components, 1)[0];
  while (j->in.output_scanline < j->in.output_height) {
    const size_t y = j->in.output_scanline;
    (void)jpeg_read_scanlines(&j->in, &j->row, 1);
    if (j->in.output_components == 4) inks_to_colors(j, j->row);
    put_row(j, y);
  }
  (void)jpeg_finish_decompress(&j->in);
}

static tsr_status reading_failed(const job *j) {
  if (j->status == TSR_ENOMEM) return REFUSE(j, TSR_ENOMEM, "%sno memory for the decoder", j->call->where);
  return REFUSE(j, TSR_EFORMAT, "%sbyte %z: %s", j->call->where, place_of(j), j->text);
}

static tsr_status decode(job *j) {
  void *pixels = NULL;
  if (!guarded(j, set_up_reading) || !guarded(j, read_header)) return reading_failed(j);
  tsr_status st = check_header(j);
  if (st == TSR_OK) st = j->file->place(j->file->user, &j->image, &pixels);
  if (st != TSR_OK || pixels == NULL) return st;
  j->pixels = pixels;
  return guarded(j, read_rows) ? TSR_OK : reading_failed(j);
}

static tsr_status decode_as(const tsr__image_call *call, const tsr__image_file *file, int orientation) {
  job j = {.call = call, .file = file, .status = TSR_EFORMAT, .orientation = orientation};
  set_up_errors(&j);
  const tsr_status st = decode(&j);
  jpeg_destroy_decompress(&j.in);
  return st;
}

tsr_status tsr__jpeg_decode(const tsr__image_call *call, const tsr__image_file *file) {
  return decode_as(call, file, 0);
}

tsr_status tsr__jpeg_decode_as_stored(const tsr__image_call *call, const tsr__image_file *file) {
  return decode_as(call, file, 1);
}

/* ---- writing ---- */

static void start_destination(j_compress_ptr out) {
  job *j = out->client_data;
  j->destination.next_output_byte = j->buffer;
  j->destination.free_in_buffer = BUFFER;
}

static void send(j_compress_ptr out, size_t n) {
  job *j = out->client_data;
  if (n == 0) return;
  j->status = j->sink->write(j->sink->self, j->buffer, n);
  if (j->status != TSR_OK) longjmp(j->jump, 1);
  j->written += n;
  start_destination(out);
}

static boolean send_full(j_compress_ptr out) {
  send(out, BUFFER);
  return TRUE;
}

static void send_rest(j_compress_ptr out) {
  const job *j = out->client_data;
  send(out, BUFFER - j->destination.free_in_buffer);
}

static void set_up_writing(job *j) {
  j->out.err = &j->errors;
  j->out.client_data = j;
  jpeg_create_compress(&j->out);
  j->out.client_data = j;
  j->destination = (struct jpeg_destination_mgr){
      .init_destination = start_destination, .empty_output_buffer = send_full, .term_destination = send_rest};
  j->out.dest = &j->destination;
}

static void write_image(job *j) {
  j->out.image_width = j->image.width;
  j->out.image_height = j->image.height;
  j->out.input_components = j->image.channels;
  j->out.in_color_space = j->image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&j->out);
  jpeg_set_quality(&j->out, j->options->quality > 0 ? j->options->quality : DEFAULT_QUALITY, TRUE);
  if (j->options->full_color) j->out.comp_info[0].h_samp_factor = j->out.comp_info[0].v_samp_factor = 1;
  if (j->options->progressive) jpeg_simple_progression(&j->out);
  jpeg_start_compress(&j->out, TRUE);
  j->row = j->out.mem->alloc_sarray((j_common_ptr)&j->out, JPOOL_IMAGE, j->image.width * (JDIMENSION)j->image.channels,
                                    1)[0];
  while (j->out.next_scanline < j->out.image_height) {
    j->fill(j->user, j->row);
    (void)jpeg_write_scanlines(&j->out, &j->row, 1);
  }
  jpeg_finish_compress(&j->out);
}

static tsr_status writing_failed(const job *j) {
  if (j->status == TSR_ENOMEM) return REFUSE(j, TSR_ENOMEM, "no memory for the encoder");
  if (j->status != TSR_OK) return REFUSE(j, j->status, "the sink failed after byte %z", j->written);
  return REFUSE(j, TSR_EUNSUPPORTED, "%s", j->text);
}

tsr_status tsr__jpeg_encode(const tsr__image_call *call, const tsr__pixels *image, const tsr_jpeg_save_options *options,
                            tsr__jpeg_row *fill, void *user, const tsr_sink *sink) {
  job j = {.call = call, .image = *image, .sink = sink, .options = options, .fill = fill, .user = user};
  set_up_errors(&j);
  const bool done = guarded(&j, set_up_writing) && guarded(&j, write_image);
  const tsr_status st = done ? TSR_OK : writing_failed(&j);
  jpeg_destroy_compress(&j.out);
  return st;
}

#elif TSR_HAVE_STDIO

static tsr_status missing(const tsr__image_call *call) {
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "%sthis build has no libjpeg", call->where);
}

tsr_status tsr__jpeg_decode(const tsr__image_call *call, const tsr__image_file *file) {
  (void)file;
  return missing(call);
}

tsr_status tsr__jpeg_decode_as_stored(const tsr__image_call *call, const tsr__image_file *file) {
  (void)file;
  return missing(call);
}

tsr_status tsr__jpeg_encode(const tsr__image_call *call, const tsr__pixels *image, const tsr_jpeg_save_options *options,
                            tsr__jpeg_row *fill, void *user, const tsr_sink *sink) {
  (void)image, (void)options, (void)fill, (void)user, (void)sink;
  return missing(call);
}

#endif
