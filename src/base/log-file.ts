import { chmodSync, fchmodSync, fstatSync, mkdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { withFile } from './durable-file.ts'
import { lineLog, type Log } from './log.ts'
import { attempt } from './control.ts'

export function openLog(profile: string, name: string): Log {
  const append = logFile(join(profile, 'log'), name)
  // Without a listener, EPIPE from a closed terminal is an uncaught exception.
  if (!process.stderr.listeners('error').includes(ignore)) process.stderr.on('error', ignore)
  return lineLog((line) => {
    append(line)
    process.stderr.write(`${line}\n`)
  })
}

export function logFile(
  folder: string,
  name: string,
  { maxBytes = 1_000_000, maxFiles = 3 }: { readonly maxBytes?: number; readonly maxFiles?: number } = {},
): (line: string) => void {
  const path = (number: number): string => join(folder, number === 0 ? `${name}.log` : `${name}.${number}.log`)

  const use = <Result>(work: (file: number) => Result): Result => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return withFile(path(0), 'a', work)
  }
  const rotate = (): void => {
    rmSync(path(maxFiles - 1), { force: true })
    for (let number = maxFiles - 1; number > 0; number -= 1) attempt(() => renameSync(path(number - 1), path(number)))
  }

  attempt(() => {
    use((file) => fchmodSync(file, 0o600))
    chmodSync(folder, 0o700)
  })
  return (text) =>
    attempt(() => {
      const line = Buffer.from(`${text}\n`)
      const size = use((file) => fstatSync(file).size)
      if (size > 0 && size + line.length > maxBytes) rotate()
      use((file) => writeSync(file, line))
    })
}

function ignore(): void {}
