import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Clock } from './clock.ts'
import { timestamp } from './clock.ts'
import { syncFolder } from './durable-file.ts'
import { rename } from './rename.ts'

/** A database, its journal, and the journal's index. In this order: without its database a journal is read by nothing. */
const ends = ['', '-wal', '-shm'] as const

/** A name for a damaged database that no file has, with the date; journals keep their ends behind it. */
export function asideName(path: string, clock: Clock): string {
  const name = `${basename(path)}.damaged-${timestamp(clock).slice(0, 19).replaceAll(':', '-')}`
  const isTaken = (tried: string): boolean => ends.some((end) => existsSync(`${dirname(path)}/${tried}${end}`))
  let tried = name
  for (let count = 2; isTaken(tried); count += 1) tried = `${name}-${count}`
  return tried
}

/** Renames what there is of a database; repeated after a kill it renames the rest. Returns the new names. */
export function setAside(path: string, name: string): void {
  for (const end of ends) if (existsSync(path + end)) rename(path + end, `${dirname(path)}/${name}${end}`)
  syncFolder(dirname(path))
}
