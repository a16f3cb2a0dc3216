/* A spectrogram: two tones, one of which rises, in noise; frames of 512 samples, transformed, in decibels; saved for `tessera plot`. Then the
 * steady tone is taken out of the frames, and what is left is the signal without it. */
#include <math.h>
#include <stdio.h>
#include <tessera/tessera.h>

enum {
  SAMPLES = 32768,
  RATE = 8000,
  FRAME = 512,
  HOP = 128,
  STEADY = 64
}; /* STEADY: a frequency, RATE / FRAME = 15.6 Hz each */

/* Signals (2, SAMPLES): the rising tone in noise, and the same with the steady one. */
static tsr_status make_signals(tsr_ctx *ctx, tsr_tensor *both) {
  tsr_rng rng = tsr_rng_seed(4);
  tsr_tensor t = {0}, noise = {0};
  tsr_status st;
  TSR_TRY(st, tsr_arange(ctx, TSR_F64, 0, SAMPLES, 1, &t), done);
  TSR_TRY(st, tsr_mul_scalar(ctx, &t, 1.0 / RATE, &t), done); /* seconds */
  TSR_TRY(st, tsr_rand_normal_scaled(ctx, &rng, TSR_F64, TSR_SHAPE(SAMPLES), 0, 0.02, &noise), done);
  TSR_TRY(st,
          tsr_eval(ctx, "rising = sin(2*pi*(200*t + 350*t**2)) + noise\nstack([rising, rising + sin(2*pi*1000*t)])",
                   TSR_NAMED({"t", &t}, {"noise", &noise}), both),
          done);
done:
  tsr_release(&noise);
  tsr_release(&t);
  return st;
}

/* Magnitudes of frames (frequencies, frames) as decibels, high frequencies first, as a picture has them. */
static tsr_status decibels(tsr_ctx *ctx, const tsr_tensor *frames, tsr_tensor *out) {
  tsr_tensor picture = {0};
  tsr_status st;
  TSR_TRY(st,
          tsr_eval(ctx, "20*log10(sqrt(complex_part(z, 'real')**2 + complex_part(z, 'imaginary')**2)/256 + 1e-4)",
                   TSR_NAMED({"z", frames}), &picture),
          done);
  TSR_TRY(st, tsr_flip(ctx, &picture, 0, &picture), done);
  TSR_TRY(st, tsr_cast(ctx, &picture, TSR_F32, out), done);
done:
  tsr_release(&picture);
  return st;
}

/* The largest error where all frames meet. */
static double worst_of(const tsr_tensor *a, const tsr_tensor *b) {
  double worst = 0;
  for (tsr_index i = FRAME; i < SAMPLES - FRAME; i++)
    worst = fmax(worst, fabs(TSR_AT(double, a, i) - TSR_AT(double, b, i)));
  return worst;
}

int main(int argc, char **argv) {
  tsr_ctx ctx;
  tsr_tensor signals = {0}, rising = {0}, mixed = {0}, window = {0}, frames = {0}, back = {0}, tone = {0},
             picture = {0};
  double there_and_back = 1, without = 1;
  tsr_status st;
  TSR_TRY(st, tsr_context_init(&ctx, NULL), done);
  TSR_TRY(st, make_signals(&ctx, &signals), done);
  TSR_TRY(st, tsr_select(&ctx, &signals, 0, 0, &rising), done);
  TSR_TRY(st, tsr_select(&ctx, &signals, 0, 1, &mixed), done);
  TSR_TRY(st, tsr_window(&ctx, TSR_F64, TSR_WINDOW_HANN, FRAME, true, 0, &window), done);
  TSR_TRY(st, tsr_stft(&ctx, &mixed, &window, 0, HOP, true, TSR_PAD_REFLECT, TSR_FFT_BACKWARD, &frames), done);
  TSR_TRY(st, tsr_istft(&ctx, &frames, &window, 0, HOP, true, true, TSR_FFT_BACKWARD, SAMPLES, &back), done);
  there_and_back = worst_of(&back, &mixed);
  TSR_TRY(st, decibels(&ctx, &frames, &picture), done);
  if (argc > 1) TSR_TRY(st, tsr_npy_save(&ctx, argv[1], &picture), done);
  TSR_TRY(st, tsr_narrow(&ctx, &frames, 0, STEADY - 2, 5, &tone), done); /* a Hann window spreads a tone over three */
  TSR_TRY(st, tsr_fill(&ctx, 0, &tone), done);
  TSR_TRY(st, tsr_istft(&ctx, &frames, &window, 0, HOP, true, true, TSR_FFT_BACKWARD, SAMPLES, &back), done);
  without = worst_of(&back, &rising);
  printf("%d frames of %d frequencies; there and back %s; ", (int)frames.shape[1], (int)frames.shape[0],
         there_and_back < 1e-12 ? "the same signal" : "ANOTHER SIGNAL");
  printf("without the steady tone %s\n", without < 1.1 ? "its signal alone" : "MORE THAN THAT");
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(&ctx));
  tsr_release(&picture);
  tsr_release(&back);
  tsr_release(&frames);
  tsr_release(&window);
  tsr_release(&signals);
  return st == TSR_OK && there_and_back < 1e-12 && without < 1.1 ? 0 : 1;
}
