/* A case of a switch: what one element of this dtype is as a number. */
case DT_ID: {
  T x;
  memcpy(&x, element, sizeof x);
  return NUMBER_OF(DT_WIDE)(LOAD(x));
}
