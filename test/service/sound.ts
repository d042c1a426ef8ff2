/** Seconds of a tone as a WAV file in base64: something to hear, nothing said. */
export function wavOf(seconds: number, amplitude = 8000): string {
  return wavBytes(Int16Array.from({ length: seconds * 16_000 }, (_, index) => Math.sin(index / 10) * amplitude)).toString(
    'base64',
  )
}

export function wavBytes(samples: Int16Array): Buffer {
  const head = Buffer.from('524946460000000057415645666d74201000000001000100803e0000007d0000020010006461746100000000', 'hex')
  head.writeUInt32LE(36 + samples.byteLength, 4)
  head.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([head, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)])
}
