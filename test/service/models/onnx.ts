/** The outer form of an ONNX file: a version, a graph of so many bytes, and metadata. Nothing that could be run. */
export function onnxOf(metadata: Readonly<Record<string, string>>, graphBytes = 1000): Buffer {
  const entries = Object.entries(metadata).map(([key, value]) =>
    field(14, Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from(value))])),
  )
  return Buffer.concat([Buffer.from([0x08, 0x08]), field(7, Buffer.alloc(graphBytes, 1)), ...entries])
}

/** A field of a protocol buffer whose value has a length. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left % 128) + 128)
  }
}
