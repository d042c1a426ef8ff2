/** Every file of a profile, and everything that can happen to a file. */
import { closeSync, copyFileSync, cpSync, openSync, readFileSync, renameSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { MadeProfile } from './damage-profile.ts'

export type Damage = 'flipped bit' | 'zeroed page' | 'cut in half' | 'empty' | 'deleted' | 'older copy' | 'swapped'

export interface DamageCase {
  readonly file: string
  readonly damage: Damage
  /** Copies the profile to `folder` and damages it there. */
  prepare(made: MadeProfile, folder: string): void
}

interface Target {
  readonly name: string
  /** Whether the app was closed or killed before the damage. */
  readonly from: 'closed' | 'killed'
  /** Paths inside the profile. */
  readonly paths: (made: MadeProfile) => readonly string[]
  /** With which the first of `paths` changes places; null: with the same file of another profile. */
  readonly swapsWith: ((made: MadeProfile) => string) | null
}

const PAGE_BYTES = 4096
const recording = (pick: (made: MadeProfile) => string) => (made: MadeProfile) => join('recordings', pick(made))
const named =
  (...paths: string[]) =>
  () =>
    paths

const targets: readonly Target[] = [
  { name: 'vault.db', from: 'closed', paths: named('vault.db'), swapsWith: () => 'service.db' },
  { name: 'vault.db-wal', from: 'killed', paths: named('vault.db-wal'), swapsWith: () => 'service.db-wal' },
  { name: 'vault.db-shm', from: 'killed', paths: named('vault.db-shm'), swapsWith: () => 'service.db-shm' },
  { name: 'service.db', from: 'closed', paths: named('service.db'), swapsWith: null },
  { name: 'service.db-wal', from: 'killed', paths: named('service.db-wal'), swapsWith: () => 'vault.db-wal' },
  { name: 'vault.db and service.db', from: 'closed', paths: named('vault.db', 'service.db'), swapsWith: null },
  { name: 'vault.json', from: 'closed', paths: named('vault.json'), swapsWith: null },
  { name: 'vault.json.bak', from: 'closed', paths: named('vault.json.bak'), swapsWith: null },
  { name: 'vault.json and its copy', from: 'closed', paths: named('vault.json', 'vault.json.bak'), swapsWith: null },
  {
    name: 'a finished recording',
    from: 'closed',
    paths: (made) => [recording(({ finished }) => finished)(made)],
    swapsWith: recording(({ earlier }) => earlier),
  },
  {
    name: 'an unfinished recording',
    from: 'killed',
    paths: (made) => [recording(({ unfinished }) => unfinished)(made)],
    swapsWith: recording(({ earlier }) => earlier),
  },
]

const damages: Record<Damage, (target: Target, made: MadeProfile, folder: string) => void> = {
  'flipped bit': each((path) => {
    const at = middleOf(path)
    const byte = readFileSync(path)[at]!
    patch(path, at, Uint8Array.of(byte ^ 0x08))
  }),
  'zeroed page': each((path) => {
    const at = middleOf(path)
    const start = at - (at % PAGE_BYTES)
    patch(path, start, new Uint8Array(Math.min(PAGE_BYTES, readFileSync(path).length - start)))
  }),
  'cut in half': each((path) => truncateSync(path, middleOf(path))),
  empty: each((path) => truncateSync(path, 0)),
  deleted: each((path) => rmSync(path)),
  'older copy'({ paths }, made, folder) {
    for (const path of paths(made)) copyFileSync(join(made.older, path), join(folder, path))
  },
  swapped({ paths, swapsWith }, made, folder) {
    if (swapsWith === null) {
      for (const path of paths(made)) copyFileSync(join(made.other, path), join(folder, path))
      return
    }
    const [one, other] = [join(folder, paths(made)[0]!), join(folder, swapsWith(made))]
    renameSync(one, `${one}.aside`)
    renameSync(other, one)
    renameSync(`${one}.aside`, other)
  },
}

export const damageCases: readonly DamageCase[] = targets.flatMap((target) =>
  (Object.keys(damages) as Damage[]).map((damage) => ({
    file: target.name,
    damage,
    prepare(made: MadeProfile, folder: string): void {
      cpSync(made[target.from], folder, { recursive: true })
      damages[damage](target, made, folder)
    },
  })),
)

function each(harm: (path: string) => void) {
  return ({ paths }: Target, made: MadeProfile, folder: string): void => {
    for (const path of paths(made)) harm(join(folder, path))
  }
}

/** Of what was written: the room that a recording takes ahead of its end is zeros. */
function middleOf(path: string): number {
  const bytes = readFileSync(path)
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return Math.floor(end / 2)
}

function patch(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  try {
    writeSync(file, bytes, 0, bytes.length, at)
  } finally {
    closeSync(file)
  }
}
