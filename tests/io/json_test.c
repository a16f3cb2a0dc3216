/* The JSON reader by itself: spoiled texts, its calls in any order. It never goes back or past the end, and a string
 * that it takes is UTF-8 without a zero, as long as it was measured to be. The texts are of their own size: sanitizers
 * watch what is past them. */
#include "io/safetensors/json.h"
#include <stdlib.h>
#include "support/test.h"

#if TSR_HAVE_MALLOC

enum { TEXT = 160, CAPACITY = 200, TEXTS = 60000, CALLS = 40 };

static uint32_t random_state = 7;
static uint32_t draw(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)random_state * n) >> 32);
}

static bool is_utf8(const char *text, size_t length) {
  for (size_t at = 0, step; at < length; at += step) {
    step = tsr__utf8((const uint8_t *)text + at, length - at);
    if (step == 0) return false;
  }
  return strlen(text) == length;
}

/* Measured, cut short, whole: the three agree. */
static tsr_status take_string(tsr__json *json) {
  static char text[CAPACITY];
  const tsr__json start = *json;
  tsr__json cut = start, whole = start;
  size_t measured = 0, length = 0;
  const tsr_status st = tsr__json_string(json, NULL, 0, &measured);
  CHECK(tsr__json_string(&cut, text, 4, &length) == st && cut.at == json->at);
  if (st == TSR_OK) CHECK(length == measured && strlen(text) == (measured < 3 ? measured : 3));
  CHECK(tsr__json_string(&whole, text, sizeof text, &length) == st && whole.at == json->at);
  if (st == TSR_OK) CHECK(length == measured && length <= json->at - start.at && is_utf8(text, length));
  return st;
}

static tsr_status call(tsr__json *json, uint32_t choice) {
  static const char characters[] = "{}[]:,\"x";
  uint64_t number = 0;
  bool more = false;
  switch (choice) {
    case 0: return tsr__json_expect(json, characters[draw(8)]);
    case 1: return tsr__json_u64(json, &number);
    case 2: return tsr__json_member(json, draw(2) == 0, &more);
    case 3: return tsr__json_element(json, draw(2) == 0, &more);
    case 4: (void)tsr__json_accept(json, characters[draw(8)]); return TSR_OK;
    default: return take_string(json);
  }
}

/* One of the texts, with a few bytes changed, and cut. */
static size_t spoil(uint8_t text[TEXT]) {
  static const char *const texts[] = {
      "{\"dtype\":\"F32\",\"shape\":[2, 3],\"data_offsets\":[0,24]}",
      "\"a\" \"\\u0061\\n\" \"\\ud83d\\ude00\" \"\xf0\x9f\x98\x80\xc3\xa9\xe2\x82\xac\" \"\" \"\\\"\" \"abc\"",
      "0 1 18446744073709551615 18446744073709551616 01 1.5 1e3 -1",
  };
  static const uint8_t bytes[] = "\"\\u09afAF{}[],: \n\x7f\x80\xbf\xc0\xe0\xed\xf0\xf4\xff";
  const char *const from = texts[draw(3)];
  size_t n = strlen(from);
  memcpy(text, from, n);
  for (uint32_t i = draw(4); i > 0; i--) text[draw((uint32_t)n)] = bytes[draw(sizeof bytes)];
  if (draw(3) == 0) n = draw((uint32_t)n + 1);
  return n;
}

TEST(any_text_in_any_order_of_calls) {
  tsr_ctx ctx;
  int strings = 0, refusals = 0;
  OK(NULL, tsr_context_init(&ctx, NULL));
  for (int k = 0; k < TEXTS; k++) {
    uint8_t text[TEXT];
    const size_t n = spoil(text);
    uint8_t *const own = malloc(n > 0 ? n : 1);
    REQUIRE(own != NULL);
    memcpy(own, text, n);
    tsr__json json = {.ctx = &ctx, .op = "json", .where = "", .text = own, .n = n, .base = 8};
    tsr_status st = TSR_OK;
    for (int i = 0; i < CALLS && st == TSR_OK; i++) {
      const size_t before = json.at;
      const uint32_t choice = draw(10);
      st = call(&json, choice);
      CHECK(json.at >= before && json.at <= n);
      strings += choice >= 5 && st == TSR_OK;
    }
    if (st != TSR_OK) MESSAGE_HAS(&ctx, "json: header: byte ");
    refusals += st != TSR_OK;
    free(own);
  }
  CHECK(strings > TEXTS / 4 && refusals > TEXTS / 4);
}

/* Every sequence of three bytes, against the ranges of the standard's table. */
TEST(utf8_of_every_three_bytes) {
  uint8_t p[3];
  int wrong = 0;
  for (uint32_t code = 0; code < 1u << 24; code++) {
    p[0] = (uint8_t)(code >> 16), p[1] = (uint8_t)(code >> 8), p[2] = (uint8_t)code;
    const uint32_t low = p[0] == 0xe0 ? 0xa0 : 0x80, high = p[0] == 0xed ? 0x9f : 0xbf;
    const bool second = p[1] >= 0x80 && p[1] <= 0xbf, third = p[2] >= 0x80 && p[2] <= 0xbf;
    size_t want = 0;
    if (p[0] < 0x80) want = 1;
    if (p[0] >= 0xc2 && p[0] < 0xe0 && second) want = 2;
    if (p[0] >= 0xe0 && p[0] < 0xf0 && p[1] >= low && p[1] <= high && third) want = 3;
    wrong += tsr__utf8(p, 3) != want; /* four bytes do not fit */
  }
  CHECK(wrong == 0);
}

TEST_MAIN(RUN(any_text_in_any_order_of_calls), RUN(utf8_of_every_three_bytes))

#else

TEST(json) { SKIP("no malloc"); }
TEST_MAIN(RUN(json))

#endif
