/* Any bytes as JSON, pulled in any order of calls: the reader never goes back or past the end, and a string that it
 * takes is UTF-8 without a zero, as long as it was measured to be. */
#include <string.h>
#include "io/json.h"

#include "promise.h"

enum { CALLS = 64, CAPACITY = 4096 };

static void check_utf8(const char *text, size_t length) {
  must(memchr(text, 0, length) == NULL && text[length] == '\0');
  for (size_t at = 0, step; at < length; at += step) {
    step = tsr__utf8((const uint8_t *)text + at, length - at);
    must(step > 0);
  }
}

/* Measured first, then cut short, then whole. */
static tsr_status take_string(tsr__json *json) {
  static char text[CAPACITY];
  const tsr__json start = *json;
  size_t measured = 0, length = 0;
  const tsr_status st = tsr__json_string(json, NULL, 0, &measured);
  tsr__json again = start;
  must(tsr__json_string(&again, text, 4, &length) == st && (st != TSR_OK || length == measured));
  if (st == TSR_OK) must(strlen(text) == (measured < 3 ? measured : 3));
  again = start;
  must(tsr__json_string(&again, text, sizeof text, &length) == st);
  if (st != TSR_OK) return st;
  must(again.at == json->at && length == measured && length <= json->at - start.at);
  if (length < sizeof text) check_utf8(text, length);
  return TSR_OK;
}

static tsr_status call(tsr__json *json, uint8_t choice) {
  static const char characters[] = "{}[]:,\"x";
  uint64_t number = 0;
  bool more = false;
  switch (choice % 6) {
    case 0:
      return tsr__json_expect(json, characters[choice / 6 % 8]);
    case 1:
      return take_string(json);
    case 2:
      return tsr__json_u64(json, &number);
    case 3:
      return tsr__json_member(json, choice / 6 % 2 == 0, &more);
    case 4:
      return tsr__json_element(json, choice / 6 % 2 == 0, &more);
    default:
      return tsr__json_accept(json, characters[choice / 6 % 8]), TSR_OK;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tsr_ctx ctx;
  if (size < CALLS) return 0;
  must(tsr_context_init(&ctx, NULL) == TSR_OK);
  const size_t n = size - CALLS;
  uint8_t *text = malloc(n > 0 ? n : 1); /* of its own: what is past it is watched */
  if (text == NULL) return 0;
  memcpy(text, data + CALLS, n);
  tsr__json json = {.ctx = &ctx, .op = "fuzz", .where = "", .text = text, .n = n, .base = 8};
  tsr_status st = TSR_OK;
  for (int i = 0; i < CALLS && st == TSR_OK; i++) {
    const size_t before = json.at;
    st = call(&json, data[i]);
    must(json.at >= before && json.at <= n);
  }
  must(st == TSR_OK || tsr_error(&ctx)[0] != '\0');
  free(text);
  return 0;
}
