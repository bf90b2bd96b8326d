/// CRC-32 as zlib and Ethernet have it.
public enum Checksum {
  /// The checksum of `bytes`. Half a byte a step: a table of 16 entries, no start-up work.
  public static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let table: InlineArray<16, UInt32> = [
      0x0000_0000, 0x1DB7_1064, 0x3B6E_20C8, 0x26D9_30AC,
      0x76DC_4190, 0x6B6B_51F4, 0x4DB2_6158, 0x5005_713C,
      0xEDB8_8320, 0xF00F_9344, 0xD6D6_A3E8, 0xCB61_B38C,
      0x9B64_C2B0, 0x86D3_D2D4, 0xA00A_E278, 0xBDBD_F21C,
    ]
    var remainder = ~UInt32(0)
    for byte in bytes {
      remainder ^= UInt32(byte)
      remainder = (remainder >> 4) ^ table[Int(remainder & 15)]
      remainder = (remainder >> 4) ^ table[Int(remainder & 15)]
    }
    return ~remainder
  }
}
