import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { openService } from '#service/compose/open-service.ts'
import type { Service } from '#service/compose/open-service.ts'
import { openPlace } from '#service/operate/place.ts'
import { readSettings } from '#service/operate/read-settings.ts'
import { findCommand } from '#service/operate/run.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { freshFolder } from '../alone-kit.ts'
import { freshStore } from '../store-kit.ts'
import type { StoreKind } from '../store-kit.ts'

const noPostgres = leftOut('practices by command on PostgreSQL', await unmet('postgres'))

describe.each<StoreKind>(noPostgres ? ['sqlite'] : ['sqlite', 'postgres'])('practices of one service on %s', (kind) => {
  let folder: ReturnType<typeof freshFolder>
  let environment: Record<string, string> = {}
  let service: Service
  let ownerKey: string
  beforeEach(async () => {
    folder = freshFolder()
    const { options } = kind === 'postgres' ? await freshStore(kind) : { options: null }
    environment = options?.kind === 'postgres' ? { DATABASE_URL: options.url } : {}
    service = await open()
    ownerKey = service.ownerKey!
  })
  afterEach(async () => {
    await service.close()
    folder.remove()
  })

  const settings = (flags: string[] = []) =>
    readSettings(['--data', folder.data, '--key-store', 'file', ...flags], environment).settings!

  async function open(plan?: 'free'): Promise<Service> {
    const { store } = await openPlace(settings(), silentLog)
    return openService({
      store,
      audio: null,
      speech: () => null,
      clock: systemClock,
      log: silentLog,
      consentPolicy: 'asserted',
      caller: 'api-keys',
      models: { folder: `${folder.data}/models` },
      ...(plan === undefined ? {} : { plan }),
    })
  }

  async function run(words: string[], flags: string[] = []) {
    // Once the service has answered, it holds no write open that this command in the same thread would wait for.
    await ask(ownerKey, '')
    const said: string[] = []
    const code = await findCommand(words)(settings(flags), silentLog, (line) => said.push(line))
    return { code, said: said.join('\n') }
  }

  async function ask(key: string, path: string, method = 'GET', body?: object) {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const answer = await service.fetch(
      new Request(`http://x/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    )
    return {
      status: answer.status,
      body: (await answer.json()) as { id: string; plan: string; practice: { id: string; name: string } },
    }
  }
  const found = (text: string, name: string): string => new RegExp(`^${name}: (\\S+)$`, 'm').exec(text)![1]!

  test('a practice added while the service runs has its own owner, plan and records', async () => {
    const { said } = await run(['practices', 'add', 'Birch Street'], ['--plan', 'professional'])
    const [id, key] = [found(said, 'practice'), found(said, 'owner key')]
    const me = await ask(key, '/me')
    expect(me.body).toMatchObject({ plan: 'professional', practice: { id, name: 'Birch Street' } })
    expect((await ask(ownerKey, '/me')).body.plan).toBe('free')
    const client = (await ask(ownerKey, '/clients', 'POST', { display_name: 'Ana' })).body.id
    expect((await ask(key, `/clients/${client}`)).status).toBe(404)
    expect((await run(['practices', 'list'])).said.split('\n')).toEqual([
      expect.stringMatching(/ open +free .* Practice$/),
      expect.stringMatching(new RegExp(`^${id} open +professional .* Birch Street$`)),
    ])
  })

  test('a plan changes for one practice alone, at once, and is on record', async () => {
    const added = await run(['practices', 'add', 'Birch Street'])
    const [id, key] = [found(added.said, 'practice'), found(added.said, 'owner key')]
    expect((await ask(key, '/me')).body.plan).toBe('free')
    expect((await run(['practices', 'plan', id, 'enterprise'])).code).toBe(0)
    expect((await ask(key, '/me')).body.plan).toBe('enterprise')
    expect((await ask(ownerKey, '/me')).body.plan).toBe('free')
    expect(JSON.stringify((await ask(key, '/audit-events')).body)).toContain('changePlan')
    await expect(run(['practices', 'plan', id, 'gold'])).rejects.toThrow('no plan "gold"')
    await expect(run(['practices', 'plan', crypto.randomUUID(), 'free'])).rejects.toThrow('There is no practice')
    // Where there are several practices, a start gives none of them another plan.
    await run(['practices', 'plan', await firstOf(), 'enterprise'])
    await service.close()
    service = await open('free')
    expect((await ask(ownerKey, '/me')).body.plan).toBe('enterprise')
  })

  const firstOf = async (): Promise<string> => (await run(['practices', 'list'])).said.split(' ')[0]!

  test('a new owner key is for the practice that is named, and has to be named among several', async () => {
    const { said } = await run(['practices', 'add', 'Birch Street'])
    await expect(run(['keys'])).rejects.toThrow('There are 2 practices')
    await expect(run(['keys'], ['--practice', crypto.randomUUID()])).rejects.toThrow('There is no practice')
    const key = found((await run(['keys'], ['--practice', found(said, 'practice')])).said, 'owner key')
    expect((await ask(key, '/me')).body.practice.name).toBe('Birch Street')
  })

  test('a practice needs a name, and a plan that there is', async () => {
    await expect(run(['practices', 'add', ' '])).rejects.toThrow('A name has')
    expect(() => findCommand(['practices', 'add'])).toThrow('say the name of the new practice')
    expect(() => findCommand(['practices', 'plan', 'x'])).toThrow('say its plan')
  })
})
