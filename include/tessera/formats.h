/** @file formats.h
 *  Bundles from and to files of any format. */
#ifndef TESSERA_FORMATS_H
#define TESSERA_FORMATS_H

#include <tessera/bundle.h>
#include <tessera/io.h>
#include <tessera/metadata.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The formats of files. Numbers never change. Names of tensors are UTF-8 without a zero in safetensors, .npz and GGUF;
 *  "" is a name in each of them. The other formats keep no names. */
typedef enum tsr_format {
  TSR_FORMAT_AUTO = 0, /**< by what is in the file, and when saving by the end of its name */
  TSR_FORMAT_NPY = 1,
  TSR_FORMAT_NPZ = 2,
  TSR_FORMAT_SAFETENSORS = 3,
  TSR_FORMAT_PNG = 4,
  TSR_FORMAT_CSV = 5,
  TSR_FORMAT_TSV = 6,
  TSR_FORMAT_C = 7,    /**< a C header, .h: saved, never loaded */
  TSR_FORMAT_GGUF = 8, /**< loaded, never saved */
  TSR_FORMAT_PGM = 9,
  TSR_FORMAT_PPM = 10,
  TSR_FORMAT_RAW = 11,    /**< elements and nothing else: saved; tsr_raw_load loads it */
  TSR_FORMAT_SHARDS = 12, /**< model.safetensors.index.json and the files beside it: loaded, never saved */
  TSR_FORMAT_JPEG = 13,
  TSR_FORMAT_WAV = 14 /**< metadata "rate": frames a second, 44100 where it is missing */
} tsr_format;

/** "npy", "npz", "safetensors", "png", "csv", "tsv", "c", "gguf", "pgm", "ppm", "raw", "shards", "jpeg", "wav"; "none" for other numbers. */
TSR_API const char *tsr_format_name(tsr_format format);

#if TSR_HAVE_STDIO
/** What a file is by its content; its name plays no part. TSR_EUNSUPPORTED when it is none of the formats. */
TSR_API TSR_MUST_USE tsr_status tsr_format_detect(tsr_ctx *ctx, const char *path, int *format);

/** Loads the tensors of a file, whatever its format, mapped where that is possible: such tensors are TSR_READONLY, and
 *  <tessera/mmap.h> says what becomes of files that shrink. What a file of one tensor holds is named as the file,
 *  without folder and extension; the names of a table's columns go to the metadata (<tessera/csv.h>). Text is a
 *  table when a line of its first 2,048 bytes begins with a number. *out must hold no tensors; metadata may be NULL,
 *  else it must be empty. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_load(tsr_ctx *ctx, const char *path, tsr_bundle *out,
                                                tsr_metadata *metadata);

/** Writes a bundle to a temporary name beside path first, so that a failure leaves the old file whole. TSR_FORMAT_AUTO
 *  takes the format whose extension path has. .npy, .png, .jpg, .pgm, .ppm, .csv, .tsv, .wav and .raw take one tensor. Formats
 *  without metadata refuse any: TSR_EUNSUPPORTED; tables take the names of columns and nothing else. metadata may be
 *  NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_save(tsr_ctx *ctx, const char *path, tsr_format format,
                                                const tsr_bundle *bundle, const tsr_metadata *metadata);

/** The same for a bundle with tensors that are described, row-major, and have no data: the producer makes their
 *  elements while they are written, a few megabytes at a time, so that memory does not grow with the file. It is given
 *  the bundle's own tensors, each from its first element on, in an order that the format chooses. Formats other than
 *  .npy, .npz, .safetensors and .raw have all elements made in memory first. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_save_from(tsr_ctx *ctx, const char *path, tsr_format format,
                                                     const tsr_bundle *bundle, const tsr_metadata *metadata,
                                                     const tsr_producer *producer);
#endif

#ifdef __cplusplus
}
#endif

#endif
