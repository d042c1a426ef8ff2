/** In Hz. Speech engines get 16-bit mono audio at this rate. */
export const SAMPLE_RATE = 16_000
export const WAV_HEADER_BYTES = 44

export function writeWavHeader(bytes: Uint8Array, samples: number): void {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, WAV_HEADER_BYTES)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + samples * 2, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(SAMPLE_RATE * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples * 2, 40)
}
