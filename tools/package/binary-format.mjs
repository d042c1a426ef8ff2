// Detects the system and processor of a native file from its header, not its name.
import { closeSync, openSync, readSync } from 'node:fs'

const elfMachines = { 0x3e: 'x64', 0xb7: 'arm64', 0x28: 'arm', 0x03: 'ia32' }
const machoMachines = { 0x01000007: 'x64', 0x0100000c: 'arm64' }
const peMachines = { 0x8664: 'x64', 0xaa64: 'arm64', 0x014c: 'ia32' }

export function binaryFormat(file) {
  const head = Buffer.alloc(4096)
  const open = openSync(file, 'r')
  const length = readSync(open, head, 0, head.length, 0)
  closeSync(open)
  return length < 64 ? null : formatOf(head)
}

function formatOf(head) {
  const magic = head.readUInt32BE(0)
  if (magic === 0x7f454c46) return { platform: 'linux', arch: elfMachines[head.readUInt16LE(18)] ?? 'unknown' }
  if (magic === 0xcffaedfe) return { platform: 'darwin', arch: machoMachines[head.readUInt32LE(4)] ?? 'unknown' }
  if (magic === 0xcafebabe) return { platform: 'darwin', arch: 'universal' }
  if (head.readUInt16BE(0) !== 0x4d5a) return null
  const header = head.readUInt32LE(0x3c)
  const isPortable = header + 6 <= head.length && head.readUInt32BE(header) === 0x50450000
  return isPortable ? { platform: 'win32', arch: peMachines[head.readUInt16LE(header + 4)] ?? 'unknown' } : null
}
