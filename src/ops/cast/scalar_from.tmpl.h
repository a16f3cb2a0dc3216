/* A case of a switch: one element of this dtype from value, whose wide type is SCALAR. */
case DT_ID: {
  const T x = FROM(SCALAR)(value);
  memcpy(element, &x, sizeof x);
  break;
}
