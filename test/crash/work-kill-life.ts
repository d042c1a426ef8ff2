/** Lives of a core that end by a kill, aimed at what it is doing. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const ACTIVITIES = ['recording', 'signing', 'editing', 'importing', 'drafting', 'deleting', 'locking', 'opening'] as const
export type Activity = (typeof ACTIVITIES)[number]

/** What the child writes as it begins something. */
export const LETTERS: Readonly<Record<Activity | 'nothing', string>> = {
  recording: 'r',
  signing: 's',
  editing: 'e',
  importing: 'i',
  drafting: 'd',
  deleting: 'x',
  locking: 'l',
  opening: 'o',
  nothing: '-',
}
export const BOOTED = 'b'

export interface Orders {
  readonly folder: string
  readonly seed: number
  readonly mode: 'work' | 'open'
  readonly aim: Activity
}

/** @param share of how long the activity last took; beyond 1 the kill falls after it */
export interface Kill {
  readonly share: number
}

interface Death {
  readonly signal: string | null
  readonly errors: string
  /** What it was doing as it died. */
  readonly in: Activity | 'nothing' | 'booting'
  /** From its orders to its end. */
  readonly ms: number
}

/** So many things begun without the one aimed at, and it is killed wherever it is. */
const MOST_BEGUN = 120

export function openLives() {
  const cache = mkdtempSync(join(tmpdir(), 'afterword-work-cache-'))
  /** How long each activity took when it last ended. */
  const lengths = new Map<string, number>()
  // Its modules are read while the one before still works.
  let next = boot(cache)
  return {
    lengths,
    live(orders: Orders, kill: Kill | null): Promise<Death> {
      const child = next
      next = boot(cache)
      return live(child, orders, kill, lengths)
    },
    close() {
      next.kill('SIGKILL')
      rmSync(cache, { recursive: true, force: true })
    },
  }
}

function boot(cache: string): ChildProcess {
  const script = resolve(import.meta.dirname, 'work-kill-child.ts')
  return spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  })
}

function live(child: ChildProcess, orders: Orders, kill: Kill | null, lengths: Map<string, number>): Promise<Death> {
  let [errors, last, begun] = ['', '', 0]
  let [began, since] = [0, 0]
  const strikeIn = (ms: number): void => void setTimeout(() => child.kill('SIGKILL'), ms)
  child.stderr!.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  child.stdout!.on('data', (bytes: Buffer) => {
    for (const letter of bytes.toString()) {
      if (letter === BOOTED) {
        began = performance.now()
        child.stdin!.write(`${JSON.stringify(orders)}\n`)
      }
      if (letter === LETTERS.nothing && last !== LETTERS.nothing) lengths.set(last, performance.now() - since)
      ;[last, since, begun] = [letter, performance.now(), begun + 1]
      if (kill === null) continue
      if (letter === LETTERS[orders.aim]) strikeIn(kill.share * (lengths.get(letter) ?? 10))
      else if (begun > MOST_BEGUN) strikeIn(0)
    }
  })
  return new Promise((done) =>
    child.on('close', (_, signal) => done({ signal, errors, in: activityOf(last), ms: performance.now() - began })),
  )
}

const activityOf = (letter: string): Death['in'] =>
  letter === LETTERS.nothing ? 'nothing' : (ACTIVITIES.find((activity) => LETTERS[activity] === letter) ?? 'booting')
