import { crc32 } from 'node:zlib'

/** A zip archive of stored files with Unix modes (APPNOTE.TXT 4.3). */
export function zip(files: Readonly<Record<string, string>>, { executable }: { readonly executable: readonly string[] }): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const header = localHeader(Buffer.from(name), content)
    directory.push(directoryEntry(header, offset, executable.includes(name) ? 0o100755 : 0o100644))
    parts.push(header, content)
    offset += header.length + content.length
  }
  const entries = Buffer.concat(directory)
  return Buffer.concat([...parts, entries, endOf(directory.length, entries.length, offset)])
}

function localHeader(name: Buffer, content: Buffer): Buffer {
  const header = Buffer.alloc(30 + name.length)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(0x21, 12) // 1 January 1980
  header.writeUInt32LE(crc32(content), 14)
  header.writeUInt32LE(content.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  name.copy(header, 30)
  return header
}

/** Repeats the local header from its version field on. */
function directoryEntry(header: Buffer, offset: number, mode: number): Buffer {
  const name = header.subarray(30)
  const entry = Buffer.alloc(46 + name.length)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE((3 << 8) | 20, 4) // made on Unix
  header.copy(entry, 6, 4, 28)
  entry.writeUInt32LE(mode * 0x1_00_00, 38)
  entry.writeUInt32LE(offset, 42)
  name.copy(entry, 46)
  return entry
}

function endOf(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
