/**
 * Wire format of a message on the preview's socket: one binary frame of a 4-byte big-endian length, that many bytes of JSON
 * (UTF-8), then the bytes of every Uint8Array in order. The JSON has `{"$bytes": length}` in place of each array.
 */
export function detachBytes(message: unknown): { message: unknown; parts: Uint8Array[] } {
  const parts: Uint8Array[] = []
  const walk = (value: unknown): unknown => {
    if (value instanceof Uint8Array) {
      parts.push(value)
      return { $bytes: value.length }
    }
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]))
  }
  return { message: walk(message), parts }
}

/** @throws RangeError if the message names more bytes than the frame has */
export function attachBytes(message: unknown, bytes: Uint8Array): unknown {
  let offset = 0
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const length = (value as { $bytes?: unknown }).$bytes
    if (typeof length === 'number') {
      if (!Number.isInteger(length) || length < 0 || offset + length > bytes.length) throw new RangeError('frame is too short')
      offset += length
      return bytes.slice(offset - length, offset)
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]))
  }
  return walk(message)
}
