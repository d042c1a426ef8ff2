import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Fields of onnx.proto's ModelProto. */
const graphField = 7
const metadataField = 14
/** Metadata are a few hundred letters; a length beyond this is no metadata. */
const longestEntry = 1024 * 1024

/**
 * The metadata of an ONNX file, or null where it is none, or cut off: the lengths of its fields then do not add up to
 * the length of the file. Reads only what it must, as the graph may be a gigabyte.
 */
export function onnxMetadata(path: string): ReadonlyMap<string, string> | null {
  const file = openSync(path, 'r')
  try {
    return readModel(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

function readModel(file: number, size: number): Map<string, string> | null {
  const metadata = new Map<string, string>()
  let hasGraph = false
  let at = 0
  while (at < size) {
    const key = varint(file, at)
    if (key === null) return null
    const field = Math.floor(key.value / 8)
    const value = varint(file, key.next)
    if (value === null || field === 0) return null
    switch (key.value % 8) {
      case 0:
        at = value.next
        break
      case 2:
        at = value.next + value.value
        if (at > size) return null
        if (field === graphField) hasGraph = true
        if (field === metadataField && value.value <= longestEntry) addEntry(metadata, bytesAt(file, value.next, value.value))
        break
      default:
        return null
    }
  }
  return hasGraph ? metadata : null
}

/** StringStringEntryProto: key 1, value 2, both texts. */
function addEntry(metadata: Map<string, string>, entry: Buffer): void {
  const parts: string[] = []
  for (let at = 0; at < entry.length;) {
    const length = varintIn(entry, at + 1)
    if (length === null) return
    parts.push(entry.toString('utf8', length.next, length.next + length.value))
    at = length.next + length.value
  }
  if (parts.length === 2) metadata.set(parts[0] ?? '', parts[1] ?? '')
}

interface Read {
  readonly value: number
  readonly next: number
}

function varint(file: number, at: number): Read | null {
  const found = varintIn(bytesAt(file, at, 10), 0)
  return found && { value: found.value, next: at + found.next }
}

function varintIn(bytes: Buffer, from: number): Read | null {
  let value = 0
  for (let index = from; index < Math.min(bytes.length, from + 8); index += 1) {
    const byte = bytes[index] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (index - from))
    if (byte < 0x80) return { value, next: index + 1 }
  }
  return null
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, at))
}
