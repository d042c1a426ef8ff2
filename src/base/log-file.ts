import { chmodSync, closeSync, fchmodSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { lineLog, type Log } from './log.ts'

export interface LogFileLimits {
  readonly maxBytes?: number
  /** Including the file that is written to. */
  readonly maxFiles?: number
}

/** The log of one process or thread, in `<profile>/log/<name>.log` and on standard error. */
export function openLog(profile: string, name: string): Log {
  const append = logFile(join(profile, 'log'), name)
  // A terminal that was closed must not end the app. Without a listener, EPIPE is an uncaught exception.
  if (!process.stderr.listeners('error').includes(ignore)) process.stderr.on('error', ignore)
  return lineLog((line) => {
    append(line)
    process.stderr.write(`${line}\n`)
  })
}

/**
 * Appends lines to `<folder>/<name>.log`. A full file becomes `<name>.1.log`, and the oldest file is deleted. Logging
 * must not stop the app, so a line that cannot be written is dropped. Every line opens the file again: lines are rare,
 * and two threads may write to one file while one replaces the other.
 */
export function logFile(
  folder: string,
  name: string,
  { maxBytes = 1_000_000, maxFiles = 3 }: LogFileLimits = {},
): (line: string) => void {
  const path = (number: number): string => join(folder, number === 0 ? `${name}.log` : `${name}.${number}.log`)

  const use = <Result>(work: (file: number) => Result): Result => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = openSync(path(0), 'a', 0o600)
    try {
      return work(file)
    } finally {
      closeSync(file)
    }
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

function attempt(write: () => void): void {
  try {
    write()
  } catch {
    // A log that cannot be written stops nothing.
  }
}

function ignore(): void {}
