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
