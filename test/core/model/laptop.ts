import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import { coreKit, noService, type OpenCore, realService, therapist } from '../core-kit.ts'
import type { AppendService } from '#core/recordings/append-service.ts'
import { createAudit } from '#core/audit/audit.ts'
import { migrations } from '#core/vault/migrations.ts'
import { openVault } from '#core/vault/vault.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { type Fault, faultyLine, type Line } from './faulty-network.ts'
import { type Practice, serviceAddress } from './practice.ts'
import type { Random } from './random.ts'
import { type Text, textsIn } from './texts.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A real core on real files, which can die at any moment and be opened again from what it left. */
export interface Laptop {
  readonly name: string
  readonly call: OpenCore['call']
  /** Where its windows send what they hear. */
  readonly append: AppendService
  readonly line: Line
  /** Of the service on this laptop, past any line. */
  readonly ownService: Practice['serve']
  /** As the person set its wall clock, against true time. */
  clockAhead: number
  readonly isLocked: boolean
  lock(): Promise<void>
  unlock(): Promise<void>
  /** At once: its files stand as they are, and nobody hears of what was under way. */
  die(): void
  /** Where it died. */
  open(): Promise<void>
  close(): Promise<void>
  /** Whether nothing was altered in what it tells of itself; once it is closed. */
  isChainWhole(): Promise<boolean>
  /** What stands in its vault, by table and column; once it is closed. */
  texts(): Promise<readonly Text[]>
}

/** The laptop died before it could answer: nobody knows whether it was done. */
export class Died extends Error {}

interface Parts {
  readonly name: string
  readonly root: string
  readonly time: VirtualTime
  readonly beginning: number
  readonly random: Random
  /** Null: the service on this laptop alone, which dies with it. */
  readonly practice: Practice | null
}

/** Nothing else befalls calls that stay on the laptop. */
const deaths: readonly Fault[] = ['death_before', 'death_after']

interface Life {
  readonly open: OpenCore
  readonly append: AppendService
  readonly line: Line
  readonly folder: string
  readonly died: Promise<never>
  readonly own: Practice['serve']
  end(): void
}

export async function openLaptop(parts: Parts, key: string | null): Promise<Laptop> {
  const { name, root, time, beginning, random, practice } = parts
  const keychain = memoryKeychain()
  const clock: Clock = { now: () => beginning + time.now() + laptop.clockAhead, elapsed: () => time.now() }
  const buried: Promise<unknown>[] = []
  let lives = 0
  let life: Life | null = null
  let last = { folder: '', connected: true, weather: [] as Line['weather'] }
  let isLocked = false

  const live = async (folder: string): Promise<void> => {
    let own: Practice['serve'] = () => Promise.reject(new TypeError('no service'))
    const line = faultyLine({
      name,
      time,
      serve: practice?.serve ?? ((request) => own(request)),
      onDeath: () => laptop.die(),
      faults: practice === null ? deaths : null,
    })
    line.connected = practice === null || last.connected
    const openService: ServiceFactory = async (options) => {
      if (practice !== null) return noService(options)
      const service = await realService(clock, silentLog)(options)
      own = (request) => service.fetch(request)
      return { ...service, fetch: line.fetch }
    }
    const kit = coreKit({ folder, clock })
    const open = await kit.open({
      keychain,
      fetch: line.fetch,
      openService,
      wait: (ms, signal) => time.wait(ms, signal),
      wait_for_days: (ms, signal) => time.wait(ms, signal),
      random: random.next,
    })
    const { promise: died, reject } = Promise.withResolvers<never>()
    died.catch(() => {})
    life = { open, append: kit.append, line, folder, died, own: (request) => own(request), end: () => reject(new Died()) }
    line.weather = last.weather
    isLocked = false
  }
  const alive = (): Life => {
    if (life === null) throw new Died()
    return life
  }
  const inVault = async <Found>(look: (db: Sqlite) => Found): Promise<Found> => {
    const vault = await openVault({ folder: last.folder, keychain, clock, log: silentLog, migrations })
    try {
      return look(vault.db)
    } finally {
      vault.close()
    }
  }
  const laptop: Laptop = {
    name,
    clockAhead: 0,
    call: async (method, input) => {
      const { open, died } = alive()
      return Promise.race([open.call(method, input), died])
    },
    get append() {
      return alive().append
    },
    get line() {
      return alive().line
    },
    ownService: (request) => alive().own(request),
    get isLocked() {
      return isLocked
    },
    async lock() {
      isLocked = true
      await laptop.call('vault.lock', {})
    },
    async unlock() {
      await laptop.call('vault.retry', {})
      isLocked = false
    },
    die() {
      if (life === null) return
      const { open, line, folder, end } = life
      lives += 1
      const copy = join(root, `${name}-${lives}`)
      cpSync(folder, copy, { recursive: true })
      last = { folder: copy, connected: line.connected, weather: line.weather }
      life = null
      line.cut()
      end()
      buried.push(
        open.core
          .close()
          .catch(() => {})
          .then(() => rmSync(folder, { recursive: true, force: true })),
      )
    },
    async open() {
      if (life === null) await live(last.folder)
    },
    async close() {
      if (life !== null) last = { ...last, folder: life.folder }
      await life?.open.core.close()
      await Promise.all(buried)
      life = null
    },
    isChainWhole: () => inVault((db) => createAudit(db, clock).verify() === null),
    texts: () => inVault(textsIn),
  }
  const folder = join(root, `${name}-0`)
  mkdirSync(folder)
  await live(folder)
  await laptop.call('vault.create', therapist)
  await laptop.call('settings.update', { therapist_name: `Dr. ${name}` })
  if (key === null) return laptop
  await laptop.call('settings.update', { service_address: serviceAddress })
  await laptop.call('settings.setKey', { which: 'service', key })
  return laptop
}
