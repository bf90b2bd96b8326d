import Pictures

extension Output {
  /// Writes what is wrong with a picture and the way out, to follow the file's name.
  mutating func write(_ error: PictureError) {
    switch error {
    case .cannotOpen(let code):
      write(system: "cannot be opened", code, "check the name and who may read it")
    case .cannotRead(let code): write(system: "cannot be read", code, "check the disk it is on")
    case .isDirectory: write("is a folder; name the pictures in it")
    case .isNotFile: write("is a device or a pipe; save the picture to a file first")
    case .isEmpty: write("is empty; copy it again")
    case .fileTooLarge(let bytes):
      write("has ")
      write(bytes)
      write(" bytes, more than the ")
      write(PictureLimits().fileBytes)
      write(" allowed; save it smaller")
    case .unsupported(let format):
      write("is a ")
      write(format.name)
      write(" file; save it as JPEG or PNG")
    case .notPicture: write("is not a picture in a known format; give a JPEG or PNG file")
    case .isTruncated: write("ends before its picture does; copy it again")
    case .isDamaged(let text):
      write("is damaged (")
      write(text.span)
      write("); copy it again or save it anew")
    case .tooManyPixels(let width, let height):
      write("claims ")
      write(width)
      write(" x ")
      write(height)
      write(" pixels, more than the ")
      write(PictureLimits().filePixels)
      write(" allowed; save it smaller")
    case .takesTooMuchMemory(let bytes):
      write("would take ")
      write(bytes)
      write(" bytes to decode; save it as JPEG that is not progressive, or smaller")
    case .outOfMemory(let bytes):
      write("needs ")
      write(bytes)
      write(" bytes of memory that are not free; close other programs or save it smaller")
    case .cannotCreate(let code):
      write(system: "cannot be created", code, "check the folder and who may write to it")
    case .cannotWrite(let code):
      write(system: "cannot be written", code, "check the disk it is on")
    }
  }

  private mutating func write(
    system fault: StaticString, _ code: Int32, _ wayOut: StaticString
  ) {
    write(fault)
    write(" (")
    write(error: code)
    write("); ")
    write(wayOut)
  }
}

extension PictureFormat {
  fileprivate var name: StaticString {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .heic: "HEIC"
    case .avif: "AVIF"
    case .webp: "WebP"
    case .gif: "GIF"
    case .bitmap: "BMP"
    case .tiff: "TIFF"
    case .pdf: "PDF"
    }
  }
}
