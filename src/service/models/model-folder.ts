import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '#base/durable-file.ts'
import { rename } from '#base/rename.ts'
import { statfs } from 'node:fs/promises'
import { AppError } from '#contract/errors.ts'

/** What is on its way in; never a model's own name, which begins with a letter or digit. */
const incoming = '.incoming'
/** An attempt that nobody went on with for so long is let go. */
const keptForMs = 14 * 24 * 3_600_000

/** Where models stand: a folder each, complete or not there at all. They hold nothing secret. */
export interface ModelFolder {
  readonly root: string
  pathOf(id: string): string
  /** Makes the place for what is on its way in. */
  incomingOf(id: string): string
  /** Complete and checked: gives it its name, for good. `from`: where it came in, if not under its own name. */
  admit(id: string, from?: string): void
  remove(id: string): void
  dropIncoming(id: string): void
  /** Bytes of an attempt that was cut off. */
  keptBytes(id: string): number
}

export function openModelFolder(root: string): ModelFolder {
  mkdirSync(join(root, incoming), { recursive: true, mode: 0o700 })
  const pathOf = (id: string): string => join(root, id)
  const incomingOf = (id: string): string => join(root, incoming, id)
  return {
    root,
    pathOf,
    incomingOf(id) {
      mkdirSync(incomingOf(id), { recursive: true, mode: 0o700 })
      return incomingOf(id)
    },
    admit(id, from = id) {
      syncFolder(incomingOf(from))
      rmSync(pathOf(id), { recursive: true, force: true })
      rename(incomingOf(from), pathOf(id))
      syncFolder(root)
      syncFolder(join(root, incoming))
    },
    remove: (id) => rmSync(pathOf(id), { recursive: true, force: true }),
    dropIncoming: (id) => rmSync(incomingOf(id), { recursive: true, force: true }),
    keptBytes: (id) => (existsSync(incomingOf(id)) ? bytesIn(incomingOf(id)) : 0),
  }
}

/** Lets go of folders that no record knows and nobody works on, and of attempts that were given up long ago. */
export function sweep(
  folder: ModelFolder,
  isKnown: (id: string) => boolean,
  isAwaited: (id: string) => boolean,
  now: number,
): void {
  for (const name of readdirSync(folder.root)) {
    if (name !== incoming && !isKnown(name) && !isAwaited(name)) rmSync(join(folder.root, name), { recursive: true, force: true })
  }
  for (const id of readdirSync(join(folder.root, incoming))) {
    const { mtimeMs } = statSync(join(folder.root, incoming, id))
    if (!isAwaited(id) && mtimeMs < now - keptForMs) folder.dropIncoming(id)
  }
}

function bytesIn(path: string): number {
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
}

/** Bytes left free for recordings, whatever is installed: about 19 hours of sound. */
export const reserveBytes = 256 * 1024 * 1024

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** @throws AppError `disk-full` */
export async function requireSpace(folder: string, needed: number, reserve: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free >= needed + reserve) return
  throw new AppError(
    'disk-full',
    `This needs ${megabytes(needed)} and leaves ${megabytes(reserve)} for recordings; ${megabytes(free)} are free. ` +
      'What was fetched so far is kept, to go on from.',
  )
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`
