/** Every file of a profile, and everything that can happen to a file. */
import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { MadeProfile } from './damage-profile.ts'

export type Damage =
  | 'flipped bit'
  | 'zeroed page'
  | 'cut in half'
  | 'empty'
  | 'deleted'
  | 'older copy'
  | 'swapped'
  | 'exchanged'
  | 'first 512 bytes zeroed'
  | 'many flipped bits'
  | 'many overwritten parts'
  | 'bytes inserted'
  | '100 KB inserted at the start'
  | 'first 24 KB cut off'
  | 'inside a folder with its name'
  | 'behind an older copy'

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
  /** Where others than those that every file can have. */
  readonly damages?: readonly Damage[]
}

const PAGE_BYTES = 4096
const recording = (pick: (made: MadeProfile) => string) => (made: MadeProfile) => join('recordings', pick(made))
const named =
  (...paths: string[]) =>
  () =>
    paths

const targets: readonly Target[] = [
  { name: 'vault.db', from: 'closed', paths: named('vault.db'), swapsWith: null },
  { name: 'vault.db-wal', from: 'killed', paths: named('vault.db-wal'), swapsWith: null },
  { name: 'vault.db-shm', from: 'killed', paths: named('vault.db-shm'), swapsWith: null },
  { name: 'service.db', from: 'closed', paths: named('service.db'), swapsWith: null },
  { name: 'service.db-wal', from: 'killed', paths: named('service.db-wal'), swapsWith: null },
  { name: 'vault.db and service.db', from: 'closed', paths: named('vault.db', 'service.db'), swapsWith: null },
  {
    name: 'vault.db and service.db',
    from: 'closed',
    paths: named('vault.db', 'service.db'),
    swapsWith: () => 'service.db',
    damages: ['exchanged', 'bytes inserted', '100 KB inserted at the start', 'first 24 KB cut off', 'behind an older copy'],
  },
  ...[['vault.db'], ['service.db'], ['vault.db', 'service.db']].map((names): Target => ({
    name: names.join(' and '),
    from: 'closed',
    paths: named(...names),
    swapsWith: null,
    damages: ['inside a folder with its name'],
  })),
  ...[['vault.db'], ['service.db'], ['vault.db', 'service.db']].map((names): Target => ({
    name: names.join(' and '),
    from: 'closed',
    paths: named(...names),
    swapsWith: null,
    damages: ['first 512 bytes zeroed'],
  })),
  {
    name: 'both journals',
    from: 'killed',
    paths: named('vault.db-wal', 'service.db-wal'),
    swapsWith: null,
    damages: ['deleted', 'swapped'],
  },
  {
    name: 'both journals',
    from: 'killed',
    paths: named('vault.db-wal', 'service.db-wal'),
    swapsWith: () => 'service.db-wal',
    damages: ['exchanged'],
  },
  { name: 'salts.json and its copy', from: 'closed', paths: named('salts.json', 'salts.json.bak'), swapsWith: null },
  {
    name: 'vault.db, service.db and both copies of inventory.aw',
    from: 'closed',
    paths: named('vault.db', 'service.db', 'inventory.aw', 'recordings/inventory.aw'),
    swapsWith: null,
    damages: ['many flipped bits', 'many overwritten parts', 'deleted'],
  },
  {
    name: 'vault.db, service.db and inventory.aw',
    from: 'closed',
    paths: named('vault.db', 'service.db', 'inventory.aw'),
    swapsWith: null,
    damages: ['many flipped bits', 'many overwritten parts', 'deleted'],
  },
  {
    name: 'both copies of inventory.aw',
    from: 'closed',
    paths: named('inventory.aw', 'recordings/inventory.aw'),
    swapsWith: null,
  },
  { name: 'inventory.aw', from: 'closed', paths: named('inventory.aw'), swapsWith: null },
  { name: 'vault.json', from: 'closed', paths: named('vault.json'), swapsWith: null },
  { name: 'vault.json.bak', from: 'closed', paths: named('vault.json.bak'), swapsWith: null },
  { name: 'vault.json and its copy', from: 'closed', paths: named('vault.json', 'vault.json.bak'), swapsWith: null },
  { name: 'recordings/keys.json', from: 'closed', paths: named('recordings/keys.json'), swapsWith: null },
  {
    name: 'all three copies of the keys',
    from: 'closed',
    paths: named('vault.json', 'vault.json.bak', 'recordings/keys.json'),
    swapsWith: null,
  },
  {
    name: 'a finished recording',
    from: 'closed',
    paths: (made) => [recording(({ finished }) => finished)(made)],
    swapsWith: recording(({ earlier }) => earlier),
  },
  {
    name: 'vault.db and a finished recording',
    from: 'closed',
    paths: (made) => ['vault.db', recording(({ finished }) => finished)(made)],
    swapsWith: null,
    damages: ['cut in half', 'empty', 'deleted'],
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
  'many flipped bits': each((path) => inMany(path, (bytes, at) => (bytes[at]! ^= 0x08))),
  'many overwritten parts': each((path) => inMany(path, (bytes, at) => bytes.fill(0, at, at + 64))),
  'bytes inserted': each((path) => {
    const [bytes, at] = [readFileSync(path), middleOf(path)]
    writeFileSync(path, Buffer.concat([bytes.subarray(0, at), Buffer.alloc(100), bytes.subarray(at)]))
  }),
  '100 KB inserted at the start': each((path) =>
    writeFileSync(path, Buffer.concat([Buffer.alloc(100_000, 7), readFileSync(path)])),
  ),
  'first 24 KB cut off': each((path) => writeFileSync(path, readFileSync(path).subarray(24_000))),
  'inside a folder with its name': each((path) => {
    renameSync(path, `${path}.moving`)
    mkdirSync(path)
    renameSync(`${path}.moving`, join(path, basename(path)))
  }),
  'behind an older copy'({ paths }, made, folder) {
    for (const path of paths(made)) {
      const [older, now] = [join(made.older, path), join(folder, path)]
      writeFileSync(now, Buffer.concat([readFileSync(older), readFileSync(now)]))
    }
  },
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
  swapped(target, made, folder) {
    if (target.swapsWith !== null) return exchange(target, made, folder)
    for (const path of target.paths(made)) copyFileSync(join(made.other, path), join(folder, path))
  },
  exchanged: exchange,
  'first 512 bytes zeroed': each((path) => patch(path, 0, new Uint8Array(512))),
}

const ofEveryFile: readonly Damage[] = ['flipped bit', 'zeroed page', 'cut in half', 'empty', 'deleted', 'older copy', 'swapped']

export const damageCases: readonly DamageCase[] = targets.flatMap((target) =>
  (target.damages ?? ofEveryFile).map((damage) => ({
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

/** Two of three pages of a database, and what is smaller than one page. */
function inMany(path: string, harm: (bytes: Buffer, at: number) => void): void {
  const bytes = readFileSync(path)
  for (let at = 200; at < bytes.length; at += PAGE_BYTES) if (at % (3 * PAGE_BYTES) < 2 * PAGE_BYTES) harm(bytes, at)
  writeFileSync(path, bytes)
}

function exchange({ paths, swapsWith }: Target, made: MadeProfile, folder: string): void {
  const [one, other] = [join(folder, paths(made)[0]!), join(folder, swapsWith!(made))]
  renameSync(one, `${one}.aside`)
  renameSync(other, one)
  renameSync(`${one}.aside`, other)
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
