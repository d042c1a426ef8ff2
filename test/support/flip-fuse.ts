/** Preloaded into a test run: reads electron-builder.yml with the fuse in AFTERWORD_FUSE set to its opposite. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const fuse = process.env['AFTERWORD_FUSE'] ?? ''
const { readFileSync } = fs
const flipped = (text: string): string =>
  text.replace(
    new RegExp(`^( +${fuse}: )(true|false)$`, 'm'),
    (_line, name: string, value: string) => `${name}${value !== 'true'}`,
  )
fs.readFileSync = ((path: never, ...rest: never[]) => {
  const read = readFileSync(path, ...rest)
  return String(path).endsWith('electron-builder.yml') && typeof read === 'string' ? flipped(read) : read
}) as typeof fs.readFileSync
syncBuiltinESMExports()
