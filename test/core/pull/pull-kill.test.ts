import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { aSession } from '#test/service/service-kit.ts'
import { clientAt, openLaptop } from './open-laptop.ts'
import { type Practice, practiceOverHttp } from './pull-kit.ts'

/** A laptop each: at which answer of its runs it is killed; each run goes on where the one before came to. */
const laptops = env['AFTERWORD_FAULTS'] === 'full' ? Array.from({ length: 10 }, (_, round) => [round + 1, 2, 3]) : [[2, 3]]
/** More than a page. */
const clients = 220

test(
  'killed between pages, it goes on where it was: every record once, none lost',
  { timeout: 60_000 + laptops.length * 60_000 },
  async () => {
    const practice = await practiceOverHttp()
    const made = Array.from({ length: clients }, (_, index) =>
      practice.client.call('createClient', { body: { display_name: `Client ${index}` } }),
    )
    const ids = (await Promise.all(made)).map(({ data }) => data.id)
    const session = await aSession(practice.client, ids[0]!)
    let changes = 0
    for (const counts of laptops) {
      const laptop = aLaptop(practice)
      let kills = 0
      for (const count of counts) {
        if ((await laptop.run(count)).signal === 'SIGKILL') kills += 1
        // What others do meanwhile is told afterwards.
        const params = { id: ids[changes++]! }
        await practice.client.call('updateClient', { params, body: { phone: '5550100' }, ifMatch: '*' })
      }
      expect(kills).toBeGreaterThan(0)
      expect((await laptop.run(0)).said).toBe('all here\n')
      const here = laptop.open()
      const all = here.records.clients.list({})
      expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      expect(all.filter(({ phone }) => phone === '5550100')).toHaveLength(changes)
      expect(here.records.sessions.find(session.id)).not.toBeNull()
      const received = here.db.prepare(`select count(*) from audit where action = 'client.received'`).pluck().get()
      expect(received).toBe(clients)
      here.db.close()
    }
  },
)

function aLaptop({ address, ownerKey }: Practice) {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-pull-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const key = randomBytes(32)
  return {
    open: () => openLaptop({ folder, key, address, client: clientAt(address, ownerKey) }),
    run(count: number): Promise<{ said: string; signal: string | null }> {
      const file = resolve(import.meta.dirname, 'pull-kill-child.ts')
      const args = [file, folder, key.toString('hex'), address, ownerKey, String(count)]
      const child = spawn(execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      let said = ''
      child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
      return new Promise((done) => child.on('close', (_, signal) => done({ said, signal })))
    },
  }
}
