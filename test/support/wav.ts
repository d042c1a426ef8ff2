import { openSync, readSync, closeSync, fstatSync } from 'node:fs'

/** Length of a PCM WAV file, from its header. */
export function wavSeconds(path: string): number {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(4096)
    readSync(file, head)
    const format = head.indexOf('fmt ')
    const data = head.indexOf('data')
    if (format < 0 || data < 0) throw new Error('not a PCM WAV file')
    const bytesPerSecond = head.readUInt32LE(format + 16)
    const announced = head.readUInt32LE(data + 4)
    return Math.min(announced, fstatSync(file).size - data - 8) / bytesPerSecond
  } finally {
    closeSync(file)
  }
}

/** 16-bit mono at 48 kHz. @param sample from -1 to 1, at a time in seconds */
export function wavOf(seconds: number, sample: (at: number) => number): Buffer {
  const rate = 48_000
  const bytes = Buffer.alloc(44 + seconds * rate * 2)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(bytes.length - 44, 40)
  for (let index = 0; index < seconds * rate; index += 1)
    bytes.writeInt16LE(Math.round(sample(index / rate) * 32_767), 44 + index * 2)
  return bytes
}
