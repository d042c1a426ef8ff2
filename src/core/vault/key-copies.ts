import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { AppError } from '#contract/errors.ts'
import { isFile, replaceFile } from '#base/durable-file.ts'
import { filesBelow, isPacked, unpack } from '#base/stray-files.ts'
import { errorKind } from '#base/log.ts'
import { setAsideOf, setFileAside } from '#base/set-aside.ts'
import { type Envelope, isSameProfile, readEnvelope, writeEnvelope } from '#core/keys/envelope.ts'
import type { VaultPorts } from './vault.ts'
import { attempt } from '#base/control.ts'

type Parts = Pick<VaultPorts, 'folder' | 'clock' | 'log'>

const firstCopy = (folder: string): string => join(folder, 'vault.json')
/** The third copy survives deleting `vault.*`. */
const keyCopies = (folder: string): string[] => [
  firstCopy(folder),
  join(folder, 'vault.json.bak'),
  join(folder, 'recordings', 'keys.json'),
]
const ENOUGH_COPIES = 2

export type FoundKeys =
  | { kind: 'none' | 'unfinished' | 'damaged' | 'newer' }
  | { kind: 'made'; envelope: Envelope; envelopes: readonly Envelope[] }

export function findKeys(folder: string): FoundKeys {
  const paths = keyCopies(folder)
  const read = paths.map(readCopy).filter((copy) => copy !== 'none')
  if (read.length === 0) return { kind: 'none' }
  const envelopes = newestFirst(read)
  if (envelopes[0] !== undefined) return { kind: 'made', envelope: envelopes[0], envelopes }
  if (read.includes('newer')) return { kind: 'newer' }
  const composed = composeEnvelope(
    paths.filter((path) => isFile(path) && statSync(path).size <= MAX_BYTES).map((path) => readFileSync(path)),
    readBytes,
  )
  if (composed !== null) return { kind: 'made', envelope: composed, envelopes: [composed] }
  return { kind: read.includes('damaged') ? 'damaged' : 'unfinished' }
}

type Copy = ReturnType<typeof readCopy>
const isMade = (copy: Copy): copy is Envelope => typeof copy === 'object' && copy.state === 'made'

function newestFirst(copies: readonly Copy[]): Envelope[] {
  const distinct = new Map(copies.filter(isMade).map((envelope) => [JSON.stringify(envelope), envelope]))
  return [...distinct.values()].toSorted((left, right) => right.generation - left.generation)
}

export const strayKeys = (folder: string): Envelope[] => newestFirst(filesBelow(folder).map(readStray))

const MAX_BYTES = 100_000

const readStray = (path: string): Copy =>
  attempt(() => (statSync(path).size > MAX_BYTES ? 'damaged' : readBytes(readFileSync(path)))) ?? 'damaged'

/**
 * True if fewer than two copies are readable, or if the first copy is not readable. Changes reach that copy before the others.
 */
export function mayBeOlder(folder: string): boolean {
  const [first, ...others] = keyCopies(folder).map(readCopy) as [Copy, ...Copy[]]
  const left = [first, ...others].filter(isMade)
  return !isMade(first) || left.length < ENOUGH_COPIES
}

function readCopy(path: string): Envelope | 'none' | 'damaged' | 'newer' {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 'none'
  return found.isDirectory() ? 'damaged' : readBytes(readFileSync(path))
}

const readBytes = (bytes: Buffer): ReturnType<typeof readEnvelope> => readEnvelope(decode(bytes))

/** Other programs may have saved the file as UTF-16 or with a byte order mark, padded it with zeros, or compressed it. */
function decode(given: Buffer): string {
  const bytes = isPacked(given) ? (unpack(given) ?? given) : given
  const isLittle = bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe)
  const isBig = bytes[0] === 0 || (bytes[0] === 0xfe && bytes[1] === 0xff)
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes).replace(/\0+$/, '')
}

export function unfinishedProfile(folder: string): string | null {
  const found = readCopy(firstCopy(folder))
  return typeof found === 'object' && found.state === 'creating' ? found.profile_id : null
}

/** Changes reach the first copy first, so an older first copy comes from a backup. */
export function isRestoredFromBackup(folder: string, newest: Envelope): boolean {
  const first = readCopy(firstCopy(folder))
  return typeof first === 'object' && isSameProfile(first, newest) && JSON.stringify(first) !== JSON.stringify(newest)
}

export function beginKeys(folder: string, envelope: Envelope): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceFile(firstCopy(folder), writeEnvelope({ ...envelope, state: 'creating' }))
}

export function finishKeys(parts: Parts, envelope: Envelope): void {
  const text = writeEnvelope({ ...envelope, state: 'made' })
  const [first, second, third] = keyCopies(parts.folder) as [string, string, string]
  replaceFile(second, text)
  replaceFile(first, text)
  follow(parts, third, text)
}

/**
 * Writes missing copies, and overwrites older ones, because those still accept a replaced passphrase or recovery code. Renames
 * copies that are damaged or belong to another vault.
 * @throws a disk error if two or more copies could not be brought up to date
 */
export function repairCopies(parts: Parts, envelope: Envelope): void {
  const text = writeEnvelope(envelope)
  const failures: unknown[] = []
  const copies = keyCopies(parts.folder)
  for (const path of copies) {
    try {
      const found = readCopy(path)
      if (typeof found === 'object' && readFileSync(path, 'utf8') === text) continue
      if (found !== 'none' && !(typeof found === 'object' && isSameProfile(found, envelope)))
        setFileAside(path, parts.clock, typeof found === 'object' ? 'unreadable' : 'damaged')
      write(path, text)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > copies.length - ENOUGH_COPIES) throw failures[0]
  for (const error of failures) parts.log.warn('envelope.copy-behind', { kind: errorKind(error) })
}

export function keysSetAside(folder: string): string[] {
  const aside = keyCopies(folder).flatMap((path) =>
    existsSync(dirname(path)) ? setAsideOf(path).map((name) => join(dirname(path), name)) : [],
  )
  return aside.map((path) => relative(folder, path).split(sep).join('/'))
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  replaceFile(path, text)
}

function follow({ log }: Parts, path: string, text: string): void {
  try {
    write(path, text)
  } catch (error) {
    log.warn('envelope.copy-behind', { kind: errorKind(error) })
  }
}

/**
 * Writes the first copy, tests it with `prove`, and then writes the others. If the first copy fails, restores the old envelope
 * and rethrows the error. If the old envelope cannot be restored, throws AppError `disk-failed` with a detail.
 */
export async function replaceKeys(
  parts: Parts,
  old: Envelope,
  envelope: Envelope,
  prove: (written: Envelope) => Promise<void>,
): Promise<void> {
  const { folder, log } = parts
  const [first, ...others] = keyCopies(folder) as [string, ...string[]]
  const text = writeEnvelope(envelope)
  repairCopies(parts, old)
  try {
    replaceFile(first, text)
    const written = readEnvelope(readFileSync(first, 'utf8'))
    if (typeof written !== 'object') throw new Error('the envelope did not come back')
    await prove(written)
  } catch (error) {
    if (revertKeys(folder, old)) throw error
    log.error('envelope.not-taken-back', { kind: errorKind(error) })
    throw new AppError('disk-failed', halfChanged, [], { cause: error })
  }
  for (const path of others) follow(parts, path, text)
}

const halfChanged =
  'The change could neither be finished nor taken back. What opened your records before may not open them any more: save a copy of what you need while they are open, and make a new recovery code once the disk can be written.'

function revertKeys(folder: string, old: Envelope): boolean {
  const text = writeEnvelope(old)
  const [first, ...others] = keyCopies(folder) as [string, ...string[]]
  const stands = (path: string): boolean => existsSync(path) && readFileSync(path, 'utf8') === text
  const attempts = [
    () => {},
    () => replaceFile(first, text),
    () => {
      if (others.some(stands)) rmSync(first)
    },
  ]
  return attempts.some((attempt) => {
    try {
      attempt()
      return stands(first) || (!existsSync(first) && others.some(stands))
    } catch {
      return false
    }
  })
}

const MAX_TRIED = 4096

/**
 * Combines damaged copies: takes each byte that more than half of them have, and tries all combinations of the other bytes if
 * there are few enough. The envelope's checksum verifies the result.
 */
function composeEnvelope(copies: readonly Buffer[], read: (bytes: Buffer) => ReturnType<typeof readEnvelope>): Envelope | null {
  if (copies.length < 2) return null
  for (const length of new Set(copies.map((copy) => copy.length))) {
    const choices = Array.from({ length }, (_, at) => choicesAt(copies, at))
    const open = choices.flatMap((choice, at) => (choice.length > 1 ? [{ at, choice }] : []))
    const count = open.reduce((product, { choice }) => product * choice.length, 1)
    for (let number = 0; count <= MAX_TRIED && number < count; number += 1) {
      const found = read(chosen(choices, open, number))
      if (typeof found === 'object' && found.state === 'made') return found
    }
  }
  return null
}

function choicesAt(copies: readonly Buffer[], at: number): readonly number[] {
  const bytes = copies.flatMap((copy) => copy[at] ?? [])
  const most = bytes.find((byte) => bytes.filter((other) => other === byte).length * 2 > bytes.length)
  return most === undefined ? [...new Set(bytes)] : [most]
}

type OpenPositions = readonly { readonly at: number; readonly choice: readonly number[] }[]

function chosen(choices: readonly (readonly number[])[], open: OpenPositions, number: number): Buffer {
  const bytes = Buffer.from(choices.map(([first]) => first!))
  let rest = number
  for (const { at, choice } of open) {
    bytes[at] = choice[rest % choice.length]!
    rest = Math.floor(rest / choice.length)
  }
  return bytes
}
