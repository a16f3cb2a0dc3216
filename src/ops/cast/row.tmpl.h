/* One dtype's row of the table. */
[DT_ID] = {
    .load = FN(load),
    .store =
        {
            [TSR__WIDE_i32] = FN(store_i32),
            [TSR__WIDE_i64] = FN(store_i64),
            [TSR__WIDE_u64] = FN(store_u64),
            [TSR__WIDE_f32] = FN(store_f32),
#if TSR_HAVE_F64
            [TSR__WIDE_f64] = FN(store_f64),
#endif
#if TSR_HAVE_C64 && DT_TAKES_COMPLEX
            [TSR__WIDE_c64] = FN(store_c64),
#endif
#if TSR_HAVE_C128 && DT_TAKES_COMPLEX
            [TSR__WIDE_c128] = FN(store_c128),
#endif
        },
    .wide = DT_WIDE_ID,
},
