/** @file formats.h
 *  Bundles from and to files of any format. */
#ifndef TESSERA_FORMATS_H
#define TESSERA_FORMATS_H

#include <tessera/bundle.h>
#include <tessera/metadata.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The formats of files. Numbers never change. */
typedef enum tsr_format {
  TSR_FORMAT_AUTO = 0, /**< by what is in the file, and when saving by the end of its name */
  TSR_FORMAT_NPY = 1,
  TSR_FORMAT_NPZ = 2,
  TSR_FORMAT_SAFETENSORS = 3,
  TSR_FORMAT_PNG = 4,
  TSR_FORMAT_CSV = 5,
  TSR_FORMAT_TSV = 6,
  TSR_FORMAT_C = 7 /**< a C header, .h: saved, never loaded */
} tsr_format;

/** "npy", "npz", "safetensors", "png", "csv", "tsv", "c"; "none" for every other number. */
TSR_API const char *tsr_format_name(int format);

#if TSR_HAVE_STDIO
/** What a file is by its content; its name plays no part. TSR_EUNSUPPORTED when it is none of the formats. */
TSR_API TSR_MUST_USE tsr_status tsr_format_detect(tsr_ctx *ctx, const char *path, int *format);

/** Loads the tensors of a file, whatever its format, mapped where that is possible: such tensors are TSR_READONLY, and
 *  <tessera/map.h> says what becomes of files that shrink. What a .npy, .png, .csv or .tsv file holds is named as the
 *  file, without folder and extension; the names of a table's columns go to the metadata (<tessera/csv.h>). Text is a
 *  table when a line of its first 2,048 bytes begins with a number. *out must hold no tensors; metadata may be NULL, else
 *  it must be empty. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_load(tsr_ctx *ctx, const char *path, tsr_bundle *out,
                                                tsr_metadata *metadata);

/** Writes a bundle to a temporary name beside path first, so that a failure leaves the old file whole. TSR_FORMAT_AUTO
 *  takes the format whose extension path has. .npy, .png, .csv and .tsv take one tensor. Formats without metadata refuse
 *  any: TSR_EUNSUPPORTED; tables take the names of columns and nothing else. metadata may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_save(tsr_ctx *ctx, const char *path, int format, const tsr_bundle *bundle,
                                                const tsr_metadata *metadata);
#endif

#ifdef __cplusplus
}
#endif

#endif
