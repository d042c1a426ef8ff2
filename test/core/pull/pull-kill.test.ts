import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { aSession } from '#test/service/service-kit.ts'
import { clientAt, openLaptop } from './open-laptop.ts'
import { practiceOverHttp } from './pull-kit.ts'

/** At which answer of a run; each goes on where the one before came to. */
const counts = env['AFTERWORD_FAULTS'] === 'full' ? Array.from({ length: 30 }, (_, round) => (round % 7) + 1) : [2, 3]
/** More than a page. */
const clients = 220

test(
  'killed between pages, it goes on where it was: every record once, none lost',
  { timeout: 60_000 + counts.length * 20_000 },
  async () => {
    const practice = await practiceOverHttp()
    const made = Array.from({ length: clients }, (_, index) =>
      practice.client.call('createClient', { body: { display_name: `Client ${index}` } }),
    )
    const ids = (await Promise.all(made)).map(({ data }) => data.id)
    const session = await aSession(practice.client, ids[0]!)
    const folder = mkdtempSync(join(tmpdir(), 'afterword-pull-kill-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const key = randomBytes(32)
    const run = (count: number): Promise<{ said: string; signal: string | null }> => {
      const file = resolve(import.meta.dirname, 'pull-kill-child.ts')
      const args = [file, folder, key.toString('hex'), practice.address, practice.ownerKey, String(count)]
      const child = spawn(execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      let said = ''
      child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
      return new Promise((done) => child.on('close', (_, signal) => done({ said, signal })))
    }
    let kills = 0
    for (const count of counts) {
      if ((await run(count)).signal === 'SIGKILL') kills += 1
      // What others do meanwhile is told afterwards.
      const changed = ids[kills]!
      await practice.client.call('updateClient', { params: { id: changed }, body: { phone: '5550100' }, ifMatch: '*' })
    }
    expect(kills).toBeGreaterThan(counts.length / 2)
    expect((await run(0)).said).toBe('all here\n')

    const here = openLaptop({ folder, key, address: practice.address, client: clientAt(practice.address, practice.ownerKey) })
    const all = here.records.clients.list({})
    expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(here.records.sessions.find(session.id)).not.toBeNull()
    const received = here.db.prepare(`select count(*) from audit where action = 'client.received'`).pluck().get()
    expect(received).toBe(clients)
    here.db.close()
  },
)
