import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { createAdaptorServer } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { coreKit, noService } from '../core-kit.ts'
import { fileKeychain } from '../file-keychain.ts'
import { allAgree } from './checks.ts'
import type { Laptop } from './laptop.ts'
import { openLedger, readLedger, writeLedger } from './ledger.ts'
import { openPractice, type Practice } from './practice.ts'
import { seeded } from './random.ts'
import type { World } from './world.ts'

const kills = env['AFTERWORD_FAULTS'] === 'full' ? 12 : 1

test(
  'killed at any moment, again and again, a laptop loses nothing it said was done, and nothing is done twice',
  { timeout: kills * 60_000 + 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'afterword-killed-'))
    mkdirSync(join(folder, 'profile'))
    const practice = await openPractice(folder, systemClock)
    const server = await listening(practice)
    onTestFinished(async () => {
      server.close()
      await practice.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const key = await practice.keyFor(newId())
    const random = seeded(7)
    const ledger = join(folder, 'ledger.json')
    writeFileSync(ledger, writeLedger(openLedger()))
    for (let kill = 1; kill <= kills; kill += 1) {
      const given = [folder, server.address, key, ledger, String(kill)]
      const child = spawn(execPath, [resolve(import.meta.dirname, 'kill-child.ts'), ...given], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      await killedAfter(child, 10 + random.below(60))
    }
    expect(await whatIsLeft(folder, practice, readFileSync(ledger, 'utf8'))).toEqual([])
  },
)

/** After so many lines. */
async function killedAfter(child: ChildProcess, lines: number): Promise<void> {
  let errors = ''
  child.stderr!.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  const ended = new Promise((resolve) => child.on('close', resolve))
  let read = 0
  for await (const _ of createInterface(child.stdout!)) if (++read === lines) child.kill('SIGKILL')
  await ended
  if (errors !== '' || child.signalCode !== 'SIGKILL') throw new Error(`it ended by itself: ${errors}`)
}

/** Opened again, it sends what it has not sent; then its records are compared with the service's. */
async function whatIsLeft(folder: string, practice: Practice, ledger: string): Promise<string[]> {
  const open = await coreKit({ folder: join(folder, 'profile') }).open({
    keychain: fileKeychain(join(folder, 'keychain.json')),
    openService: noService,
    fetch,
  })
  await open.until(async () => {
    for (const { session } of await open.call('sessions.list', {})) {
      const { work } = await open.call('notes.get', { session_id: session.id })
      if (work.state === 'failed') await open.call('notes.cancelDraft', { session_id: session.id })
    }
    return (await open.call('outbox.list', {})).length === 0
  })
  const laptop = { name: 'ana', call: open.call } as unknown as Laptop
  try {
    return await allAgree({ practice, laptops: [laptop], ledger: readLedger(ledger) } as unknown as World)
  } finally {
    await open.core.close()
  }
}

async function listening(practice: Practice): Promise<{ address: string; close: () => void }> {
  const server = createAdaptorServer({ fetch: (request) => practice.serve(request) })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}
