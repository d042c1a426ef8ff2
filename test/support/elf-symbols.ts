import { readFileSync } from 'node:fs'

const sectionTypes = { dynamicSymbols: 11 }

/** Names a 64-bit little-endian ELF file expects from elsewhere (`nm -D --undefined-only`). */
export function importedSymbols(file: string): string[] {
  const bytes = readFileSync(file)
  if (bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2 || bytes[5] !== 1) throw new Error(`${file} is no 64-bit ELF file`)
  const sections = Number(bytes.readBigUInt64LE(0x28))
  const size = bytes.readUInt16LE(0x3a)
  const count = bytes.readUInt16LE(0x3c)
  const section = (index: number) => {
    const at = sections + index * size
    return {
      type: bytes.readUInt32LE(at + 4),
      offset: Number(bytes.readBigUInt64LE(at + 24)),
      length: Number(bytes.readBigUInt64LE(at + 32)),
      link: bytes.readUInt32LE(at + 40),
    }
  }
  const symbols = Array.from({ length: count }, (_, index) => section(index)).find(
    ({ type }) => type === sectionTypes.dynamicSymbols,
  )
  if (symbols === undefined) throw new Error(`${file} has no dynamic symbols`)
  const names = section(symbols.link)
  const found: string[] = []
  for (let at = symbols.offset; at < symbols.offset + symbols.length; at += 24) {
    const isUndefined = bytes.readUInt16LE(at + 6) === 0
    const start = names.offset + bytes.readUInt32LE(at)
    if (isUndefined) found.push(bytes.toString('latin1', start, bytes.indexOf(0, start)))
  }
  return found.filter((name) => name !== '')
}
