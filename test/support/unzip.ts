import { inflateRawSync } from 'node:zlib'

const entrySignature = 0x02014b50
const deflated = 8

/** The files of a zip archive, by its central directory (APPNOTE.TXT 4.3.12). */
export function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 16)
  while (archive.readUInt32LE(at) === entrySignature) {
    const [packed, nameLength, extraLength, commentLength] = [20, 28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    ) as [number, number, number, number]
    const method = archive.readUInt16LE(at + 10)
    const header = archive.readUInt32LE(at + 42)
    const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
    const bytes = archive.subarray(start, start + packed)
    files.set(
      archive.toString('utf8', at + 46, at + 46 + nameLength),
      (method === deflated ? inflateRawSync(bytes) : bytes).toString('utf8'),
    )
    at += 46 + nameLength + extraLength + commentLength
  }
  return files
}
