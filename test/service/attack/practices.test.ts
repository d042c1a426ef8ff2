import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { type Role, roles, type Route } from '#contract/rest/route.ts'
import { type OperationId, routes } from '#contract/rest/routes.ts'
import { getNote } from '#service/store/notes.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { openAuthorityKit } from '../access/authority-kit.ts'
import type { Answer, AuthorityKit, Person } from '../access/authority-kit.ts'
import { recipes } from '../access/recipes.ts'
import { canaries, insertRecords } from '../access/records-of-a-client.ts'
import type { RecordsOfClient } from '../access/records-of-a-client.ts'
import type { StoreKind } from '../store-kit.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const noPostgres = leftOut('attacks across practices on PostgreSQL', await unmet('postgres'))
const table = Object.entries(routes) as [OperationId, Route][]
/** Whoever has every role reaches as far as anybody of the practice can. */
const everyRole: readonly Role[] = roles
const tus = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
const hours = { kind: 'hours', clinician_id: newId(), time_zone: 'UTC', weekly: [{ day: 'MO', from: '09:00', to: '12:00' }] }

/** Bodies of operations about no client that name a record in their address. */
const bodies: Partial<Record<OperationId, unknown>> = {
  putRoom: { name: 'Taken over', capacity: 2 },
  putAvailability: hours,
  putTemplate: { name: 'Taken over', sections: [{ key: 'a', title: 'A', holds: ['plan'] }] },
  putPayer: { payer_id: 'P9', name: 'Taken over' },
  updateStaff: { name: 'Taken over' },
  rotateApiKey: {},
  reviewBreakGlass: { outcome: 'justified' },
  installModel: {},
}

describe.each<StoreKind>(['sqlite', 'postgres'])('one practice against another on %s', (kind) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})
  // Each store checks by the same code: with small counts PostgreSQL is asked for a third of the operations.
  const some = <Item>(all: readonly Item[]): Item[] => all.filter((_, index) => isFull || kind === 'sqlite' || index % 3 === 0)
  let kit: AuthorityKit
  let here: Person
  let there: Person
  let own: RecordsOfClient
  let theirs: RecordsOfClient
  /** Everything the other practice has, by where it is found. */
  let places: [collection: string, id: string][]

  beforeAll(async () => {
    kit = await openAuthorityKit({}, kind)
    here = await kit.person(everyRole)
    there = await kit.person(everyRole, { practice: kit.elsewhere })
    own = await kit.write(kit.practice, (write) => insertRecords(write, kit.practice, here.id))
    theirs = await kit.write(kit.elsewhere, (write) => insertRecords(write, kit.elsewhere, there.id))
    places = [...(await madeBy(there)), ...placesOf(theirs)]
  })
  afterAll(() => kit.close())

  /** One record of every kind that is about no client, made by calls. */
  async function madeBy(person: Person): Promise<[string, string][]> {
    const made = async (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> => {
      const answer = await person.call(method, path, body, headers)
      expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text])
      return answer
    }
    const put = async (collection: string, body: unknown): Promise<[string, string]> => {
      const id = newId()
      await made('PUT', `/${collection}/${id}`, body)
      return [collection, id]
    }
    const post = async (collection: string, body: unknown, headers = {}): Promise<[string, string]> => [
      collection,
      (await made('POST', `/${collection}`, body, headers)).body.id,
    ]
    const upload = await made('POST', '/uploads', undefined, { 'Tus-Resumable': '1.0.0', 'Upload-Length': '100' })
    const analysis = await made('POST', '/ai/analyze', { transcript: 'A: I slept.' }, { Prefer: 'respond-async' })
    return [
      await put('rooms', bodies.putRoom),
      await put('availability', { ...hours, clinician_id: person.id }),
      await put('payers', bodies.putPayer),
      await put('psychotherapy-notes', { client_id: theirs.client, text: 'theirs alone' }),
      await post('api-keys', { name: 'Another', roles: ['clinician'] }),
      await post('staff', { name: 'Another', roles: ['clinician'] }),
      await post('legal-holds', { client_id: theirs.client, reason: 'Subpoena' }),
      ['uploads', upload.headers.get('location')!.split('/').at(-1)!],
      ['operations', analysis.body.id],
    ]
  }

  const placesOf = ({ client, session, consent, transcript, note, signed, analysis, coverage, authorisation }: RecordsOfClient) =>
    [
      ['clients', client],
      ['sessions', session],
      ['consents', consent],
      ['transcripts', transcript],
      ['notes', note],
      ['notes', signed],
      ['analyses', analysis],
      ['coverage', coverage],
      ['authorisations', authorisation],
    ] as [string, string][]

  /** Those that the route is for; with full counts those of every other kind too. */
  function idsFor({ path }: Route): string[] {
    const of = places.filter(([collection]) => path.startsWith(`/${collection}/`)).map(([, id]) => id)
    // Ids of uploads and keys are no UUIDs: elsewhere they are answered like any malformed one.
    const others = places.filter(([collection]) => !['uploads', 'api-keys'].includes(collection)).map(([, id]) => id)
    return isFull ? [...of, ...others] : [...of, theirs.client]
  }

  // First: the audit log names what was asked for, also where it was refused.
  const lists = table.filter(
    ([, { method, path, stream, reach }]) =>
      method === 'GET' && !path.includes('{') && stream === undefined && Object.values(reach).some((each) => each !== 'none'),
  )

  test.each(some(lists))('%s shows nothing of the other practice, whatever it is asked for', async (_operation, route) => {
    const fields = route.query === undefined ? [] : Object.keys((route.query as unknown as { shape?: object }).shape ?? {})
    const ids = isFull ? places.map(([, id]) => id) : [theirs.client, theirs.session]
    const byId = fields.filter((name) => name.endsWith('_id')).flatMap((name) => ids.map((id) => `?${name}=${id}`))
    for (const query of ['', ...byId]) {
      const answer = await here.call('GET', `${route.path === '/' ? '' : route.path}${query}`)
      for (const [, id] of places) if (!query.includes(id)) expect(answer.text).not.toContain(id)
      for (const word of [kit.elsewhere, there.id, 'theirs alone']) expect(answer.text).not.toContain(word)
    }
  })

  test.each(some(table.filter(([, { path }]) => path.includes('{id}'))))(
    '%s tells an id of the other practice from no id at all in nothing',
    async (operation, route) => {
      const whole = await kit.write(kit.practice, (write) => getNote(write, kit.practice, own.toSign))
      const asked = recipes[operation]?.(own, whole)
      const body = asked?.body ?? bodies[operation]
      // A body that is missing would be refused before the id is looked at.
      expect([operation, route.body === undefined || body !== undefined]).toEqual([operation, true])
      const headers = { ...asked?.headers, ...(route.method === 'PUT' || route.method === 'PATCH' ? { 'If-Match': '*' } : {}) }
      const call = (id: string): Promise<Answer> =>
        here.call(route.method, route.path.replace('{id}', id), body, {
          ...headers,
          ...(route.path.startsWith('/uploads') ? tus : {}),
        })
      const nowhere = await call(newId())
      expect([403, 404, 410, 412]).toContain(nowhere.status)
      for (const id of idsFor(route)) {
        const answer = await call(id)
        expect([operation, id, answer.status, answer.body.code]).toEqual([operation, id, nowhere.status, nowhere.body.code])
        for (const word of [...Object.values(canaries), kit.elsewhere, there.id]) expect(answer.text).not.toContain(word)
      }
    },
  )

  test.each(some(Object.entries(recipes).filter(([operation]) => !routes[operation as OperationId].path.includes('{'))))(
    '%s takes no record of the other practice by its body',
    async (operation, recipe) => {
      const route = routes[operation as OperationId] as Route
      const whole = await kit.write(kit.elsewhere, (write) => getNote(write, kit.elsewhere, theirs.toSign))
      const answer = await here.call(route.method, route.path, recipe(theirs, whole).body, { Prefer: 'respond-async' })
      expect([operation, answer.status]).toEqual([operation, 404])
    },
  )

  test('a key of an idempotent call replays nothing of the other practice', async () => {
    const headers = { 'Idempotency-Key': newId() }
    const made = await there.call('POST', '/clients', { display_name: 'Theirs' }, headers)
    const again = await here.call('POST', '/clients', { display_name: 'Theirs' }, headers)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(again.body.id).not.toBe(made.body.id)
  })

  test('after all that the other practice still has everything', async () => {
    for (const [collection, id] of places.filter(([each]) => !['consents', 'api-keys', 'legal-holds', 'uploads'].includes(each)))
      expect([collection, (await there.call('GET', `/${collection}/${id}`)).status]).toEqual([collection, 200])
    const keys = (await there.call('GET', '/api-keys')).text
    const holds = (await there.call('GET', '/legal-holds')).text
    for (const [, id] of places.filter(([each]) => each === 'api-keys')) expect(keys).toContain(id)
    for (const [, id] of places.filter(([each]) => each === 'legal-holds'))
      expect(holds).toMatch(new RegExp(`${id}.*"released_at":null`))
    const [, upload] = places.find(([each]) => each === 'uploads')!
    expect((await there.call('HEAD', `/uploads/${upload}`, undefined, { 'Tus-Resumable': '1.0.0' })).status).toBe(200)
  })
})
