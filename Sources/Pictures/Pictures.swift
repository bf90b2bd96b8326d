// Still pictures: in go the bytes of a JPEG or PNG file, out come upright 8-bit red, green, blue
// pixels in memory owned here; and the way back, a picture drawn on and written as PNG. Depends on
// Frames for the view that detection takes, and on libjpeg-turbo and libpng.
