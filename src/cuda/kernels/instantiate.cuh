/* The end of a dtype's file on a device: no template is made of it, its words go. */
#undef DT
#undef DT_ID
#undef DT_WIDE
#undef DT_TAKES_COMPLEX
