import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import { freshFolder, startAlone } from '#test/service/alone-kit.ts'
import { coreKit } from '../core-kit.ts'
import { fileKeychain } from '../file-keychain.ts'
import { databaseOfChildren } from '../service-over-http.ts'
import { keptBy } from './migration-kit.ts'

type Moment = readonly ['before' | 'after', number] | readonly ['key']

/** Each run goes on where the one before was killed, so the same count meets other calls. */
const every = Array.from({ length: 30 }, (_, round) => [round % 2 === 0 ? 'before' : 'after', (round % 5) + 1] as const)
const moments: readonly Moment[] = env['AFTERWORD_FAULTS'] === 'full' ? [...every, ['key']] : [['after', 9], ['key']]

const folder = mkdtempSync(join(tmpdir(), 'afterword-moving-kill-'))
mkdirSync(join(folder, 'profile'))
const childEnvironment = { ...env, ...(await databaseOfChildren()) }
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(address: string, key: string, moment: Moment | readonly []): Promise<{ signal: string | null; errors: string }> {
  const child = resolve(import.meta.dirname, 'kill-child.ts')
  const process = spawn(execPath, [child, folder, address, key, ...moment.map(String)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: childEnvironment,
  })
  let errors = ''
  process.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  return new Promise((done) => process.on('close', (_, signal) => done({ signal, errors })))
}

test(
  'killed at any call of a move to a service that runs alone, and between the switch and the key: all of it is there, once',
  { timeout: moments.length * 30_000 + 60_000 },
  async () => {
    const practice = freshFolder()
    const service = await startAlone(practice.data, {}, ['--plan', 'enterprise'])
    try {
      const owner = createServiceClient({ base_url: service.address, token: service.ownerKey!, fetch })
      const body = { name: 'laptop', roles: ['owner' as const, 'clinician' as const] }
      const key = (await owner.call('createApiKey', { body })).data.secret!
      let kills = 0
      for (const moment of moments) {
        const { signal, errors } = await run(service.address, key, moment)
        expect(errors).toBe('')
        kills += signal === 'SIGKILL' ? 1 : 0
      }
      expect(kills).toBeGreaterThan(1)
      expect(await run(service.address, key, [])).toEqual({ signal: null, errors: '' })

      const keychain = fileKeychain(join(folder, 'keychain.json'))
      const open = await coreKit({ folder: join(folder, 'profile') }).open({ keychain, fetch })
      expect(await open.call('moving.state', {})).toMatchObject({ phase: 'confirmed', address: service.address })
      expect(await open.call('outbox.list', {})).toEqual([])
      const here = (await open.call('clients.list', {})).map(({ client }) => client.id)
      await open.core.close()
      const there = await keptBy(owner)
      expect([...there.listClients.keys()].toSorted()).toEqual(here.toSorted())
      const counts = Object.fromEntries(Object.entries(there).map(([operation, kept]) => [operation, kept.size]))
      expect(counts).toEqual({
        listClients: 2,
        listSessions: 2,
        listConsents: 2,
        listTranscripts: 1,
        listNotes: 2,
        listTemplates: 1,
      })
    } finally {
      await service.stop()
      practice.remove()
    }
  },
)
