/**
 * Everything that can end or interrupt a recording in Electron. Each case counts the records that were acknowledged, and
 * finds every one of them after the app was started again. AFTERWORD_FAULTS=full repeats each case with longer recordings.
 */
import { renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '#test/crash/seeded-random.ts'
import { build } from '#test/support/built-app.ts'
import { canRunAs } from '#test/support/electron/run-as.ts'
import { startApp, type StartedApp, type StartOptions } from '#test/support/electron/started-app.ts'
import { blockCore, expectOk, headerOf, type Kept, Ledger, passphrase, reopen } from './ledger.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const rounds = isFull ? 10 : 1
const length = isFull ? 150 : 15
const keep = 'Keep recording'
const finish = 'Finish and quit'
/** While the records are locked, the recording cannot be finished. */
const quit = 'Quit'

const { random, seed } = seededRandom()
/** Somewhere within the next records. */
const anyMoment = (): Promise<unknown> => new Promise((done) => setTimeout(done, random() * 100))

interface Case {
  readonly name: string
  readonly start?: StartOptions
  /** With a recording of `length` records. Ends the app, or leaves that to the caller. */
  act(app: StartedApp, ledger: Ledger): Promise<void>
  readonly state: Kept['state'] | readonly Kept['state'][]
  /** Needs a signal or a pipe with a name. */
  readonly isPosixOnly?: true
}

const until = async (app: StartedApp, label: string): Promise<void> => {
  await app.until('message-box')
  await app.ask('answerBox', label)
}

const cases: readonly Case[] = [
  {
    name: 'closing the window asks; “Keep recording” changes nothing',
    async act(app, ledger) {
      await app.ask('closeWindow')
      await until(app, keep)
      await ledger.appendMany(length)
      expect(await app.ask('windowCount')).toBe(1)
      expect(app.journal.filter(({ what }) => what === 'message-box')).toHaveLength(1)
      await ledger.finish()
    },
    state: 'finished',
  },
  {
    name: 'closing the window asks; “Finish and quit” saves the window’s last records, finishes and quits',
    async act(app, ledger) {
      await app.ask('closeWindow')
      const handedOver = ledger.handOver()
      await until(app, finish)
      await handedOver
      expect(await app.ended).toEqual({ code: 0, signal: null })
    },
    state: 'finished',
  },
  {
    name: 'quitting asks; “Keep recording” changes nothing',
    async act(app, ledger) {
      await app.ask('quit')
      await until(app, keep)
      await ledger.appendMany(length)
      expect(await app.ask('windowCount')).toBe(1)
      await ledger.finish()
    },
    state: 'finished',
  },
  {
    name: 'quitting asks; “Finish and quit” saves the window’s last records, finishes and quits',
    async act(app, ledger) {
      await app.ask('quit')
      const handedOver = ledger.handOver()
      await until(app, finish)
      await handedOver
      expect(await app.ended).toEqual({ code: 0, signal: null })
    },
    state: 'finished',
  },
  {
    name: 'a window that never hands over does not keep the app from finishing',
    async act(app) {
      await app.ask('quit')
      await until(app, finish)
      expect(await app.ended).toEqual({ code: 0, signal: null })
    },
    state: 'finished',
  },
  {
    name: 'a crashed renderer is reloaded and resumes its recording',
    async act(app, ledger) {
      const from = app.journal.length
      await app.ask('crash')
      await app.until('page', undefined, from)
      await ledger.attach('reload')
      await ledger.appendMany(length)
      await ledger.finish()
    },
    state: 'finished',
  },
  {
    name: 'a renderer that crashes while it sends loses no acknowledged record',
    async act(app, ledger) {
      const from = app.journal.length
      await ledger.keepAppending(length)
      await anyMoment()
      await app.ask('crash')
      await app.until('page', undefined, from)
      await ledger.attach('reload')
      await ledger.appendMany(length)
      await ledger.finish()
    },
    state: 'finished',
  },
  {
    name: 'suspend locks the records and keeps the recording; resume reaches the window',
    async act(app, ledger) {
      await app.ask('power', 'suspend')
      await app.event('app.changed', ({ phase }) => phase === 'locked')
      await ledger.appendMany(length)
      await app.ask('power', 'resume')
      await app.event('app.resumed')
      await ledger.appendMany(length)
      await expectOk(app, 'vault.unlock', { passphrase })
      await ledger.finish()
    },
    state: 'finished',
  },
  ...(['linux', 'darwin'] as const).map((platform) => ({
    name: `${platform}: a shutdown waits until the recording is finished`,
    start: { platform },
    async act(app: StartedApp, ledger: Ledger) {
      const handedOver = ledger.handOver()
      expect(await app.ask('power', 'shutdown')).toBe(true)
      await handedOver
      expect(await app.ended).toEqual({ code: 0, signal: null })
    },
    state: 'finished' as const,
  })),
  {
    name: 'win32: a log-off waits until the recording is finished',
    start: { platform: 'win32' },
    async act(app, ledger) {
      const handedOver = ledger.handOver()
      expect(await app.ask('querySessionEnd', ['logoff'])).toBe(true)
      await handedOver
      expect(await app.ended).toEqual({ code: 0, signal: null })
    },
    state: 'finished',
  },
  {
    name: 'win32: a session that ends without a question leaves the recording to the next start',
    start: { platform: 'win32' },
    async act(app) {
      void app.ask('endSession', ['shutdown', 'critical']).catch(() => {})
      expect(await app.ended).toEqual({ code: 0, signal: null })
    },
    state: 'interrupted',
  },
  {
    name: 'SIGTERM finishes the recording and quits without a question',
    isPosixOnly: true,
    async act(app, ledger) {
      const handedOver = ledger.handOver()
      process.kill(app.pid, 'SIGTERM')
      await handedOver
      expect(await app.ended).toEqual({ code: 0, signal: null })
    },
    state: 'finished',
  },
  {
    name: 'a slow disk delays acknowledgements and loses none when the app quits',
    start: { preload: [fileURLToPath(new URL('../../support/electron/slow-disk.ts', import.meta.url))] },
    async act(app, ledger) {
      await app.ask('quit')
      const handedOver = ledger.handOver(10)
      await until(app, finish)
      await handedOver
      expect(await app.ended).toEqual({ code: 0, signal: null })
    },
    state: 'finished',
  },
  {
    name: 'quitting under the lock keeps the recording for the next start',
    async act(app, ledger) {
      await expectOk(app, 'vault.lock', {})
      await app.ask('quit')
      const handedOver = ledger.handOver()
      await until(app, quit)
      await handedOver
      expect(await app.ended).toEqual({ code: 0, signal: null })
    },
    state: 'interrupted',
  },
  {
    name: 'a second quit while the app closes loses nothing',
    async act(app, ledger) {
      await app.ask('quit')
      const handedOver = ledger.handOver()
      await until(app, finish)
      await handedOver
      for (let isRunning = true; isRunning;)
        isRunning = await app.ask('quit').then(
          () => true,
          () => false,
        )
      await app.ended
    },
    state: ['finished', 'interrupted'],
  },
  {
    name: 'a core that hangs while the app quits loses nothing',
    isPosixOnly: true,
    async act(app, ledger) {
      await blockCore(app)
      await app.ask('quit')
      const handedOver = ledger.handOver()
      await until(app, quit)
      await handedOver
      await app.ended
      rmSync(headerOf(app))
      renameSync(`${headerOf(app)}.kept`, headerOf(app))
    },
    state: 'interrupted',
  },
  {
    name: 'a killed app offers its recording again',
    async act(app, ledger) {
      await ledger.keepAppending(length)
      await anyMoment()
      await app.kill('SIGKILL')
    },
    state: 'interrupted',
  },
]

const table: string[] = []

beforeAll(build)
afterAll(() => {
  process.stderr.write(`ends of a recording: AFTERWORD_SEED=${seed}\n`)
  const head = 'acknowledged records, kept records, lost records, and what interrupted the recording'
  process.stderr.write(`${head}\n${table.join('\n')}\n`)
})

for (const { name, start = {}, act, state, isPosixOnly = false } of cases) {
  // Much of each case is waiting: for limits, for other processes, for the disk.
  test.skipIf(!canRunAs(start.platform ?? process.platform) || (isPosixOnly && process.platform === 'win32'))(
    name,
    { concurrent: true },
    async () => {
      let acknowledged = 0
      let kept = 0
      for (let round = 0; round < rounds; round += 1) {
        const app = startApp(start)
        try {
          const ledger = await Ledger.start(app)
          await ledger.appendMany(length)
          await act(app, ledger)
          await app.kill()
          const found = await reopen(ledger)
          expect([state].flat()).toContain(found.state)
          acknowledged += found.acknowledged
          kept += found.kept
        } finally {
          await app.remove()
        }
      }
      table.push([acknowledged, kept, acknowledged - kept].map((count) => String(count).padStart(6)).join(' ') + `  ${name}`)
      expect(acknowledged).toBeGreaterThanOrEqual(length * rounds)
      expect(kept).toBe(acknowledged)
    },
  )
}
