// Pictures and what every stage needs to work on them: in go borrowed red, green, blue pixels, out
// come the pieces networks take (letterboxed, patches, unrolled coins). Here too are the lists of
// fixed capacity and the elementary functions of all modules after it. Whole numbers and IEEE basic
// operations alone, so that every machine gets the same bits. Depends on `CKernels`, the vector
// forms of conversion and averaging, alone.
