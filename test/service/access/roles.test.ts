import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { errorKinds } from '#contract/errors.ts'
import { commonFailures, type Role, roles, type Route } from '#contract/rest/route.ts'
import { type OperationId, routes } from '#contract/rest/routes.ts'
import { getNote } from '#service/store/notes.ts'
import type { Note } from '#contract/model/note.ts'
import { openAuthorityKit } from './authority-kit.ts'
import type { Answer, AuthorityKit, Person } from './authority-kit.ts'
import { aboutNoClient, lists, recipes } from './recipes.ts'
import type { Asked } from './recipes.ts'
import { canaries, insertRecords } from './records-of-a-client.ts'
import type { RecordsOfClient } from './records-of-a-client.ts'

const whoseClients = ['own', 'colleague', 'supervisee', 'nobody', 'elsewhere'] as const
type Whose = (typeof whoseClients)[number]
type OfEach = Readonly<Record<Whose, RecordsOfClient & { readonly draft: Note }>>

let kit: AuthorityKit
/** Each role has a person and clients of its own, so that no role's changes stand in another's way. */
const people = new Map<Role, { person: Person; records: OfEach }>()
const table = Object.entries(routes) as [OperationId, Route][]

beforeAll(async () => {
  kit = await openAuthorityKit()
  for (const role of roles) {
    const person = await kit.person([role])
    const colleague = await kit.person(['clinician'])
    const supervisee = await kit.person(['clinician'], { supervisor: person.id })
    const stranger = await kit.person(['clinician'], { practice: kit.elsewhere })
    const whose = { own: person.id, colleague: colleague.id, supervisee: supervisee.id, nobody: null, elsewhere: stranger.id }
    const records: Partial<Record<Whose, RecordsOfClient & { draft: Note }>> = {}
    for (const which of whoseClients) {
      const practice = which === 'elsewhere' ? kit.elsewhere : kit.practice
      records[which] = await kit.write(practice, async (write) => {
        const made = await insertRecords(write, practice, whose[which])
        return { ...made, draft: await getNote(write, practice, made.toSign) }
      })
    }
    people.set(role, { person, records: records as OfEach })
  }
})
afterAll(() => kit.close())

const isOwn = (role: Role, whose: Whose): boolean => whose === 'own' || (role === 'owner' && whose === 'nobody')

/** The contract's word, and nothing else: what a call about this client must come to. */
function expected(
  route: Route,
  role: Role,
  whose: Whose,
  hasPurpose = false,
): 'allowed' | 'forbidden' | 'not-found' | 'purpose-missing' {
  const reach = route.reach[role]
  if (reach === 'none') return 'forbidden'
  if (whose === 'elsewhere') return 'not-found'
  if (isOwn(role, whose) || reach === 'limited') return 'allowed'
  if (reach === 'all') return route.beyondNeedsPurpose && !hasPurpose ? 'purpose-missing' : 'allowed'
  return reach === 'supervised' && whose === 'supervisee' ? 'allowed' : 'not-found'
}

function ask(person: Person, route: Route, { params = {}, body, headers }: Omit<Asked, 'allowed'>): Promise<Answer> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? newId())
  return person.call(route.method, path === '/' ? '' : path, body, headers)
}

function declared(route: Route): ReadonlySet<number> {
  const failures = [...route.failures, ...commonFailures].map((code) => errorKinds[code].status)
  return new Set([...Object.keys(route.answers).map(Number), ...failures])
}

const recipesFor = (role: Role) =>
  (Object.entries(recipes) as [OperationId, NonNullable<(typeof recipes)[OperationId]>][])
    .map(([operation, recipe]) => ({ operation, recipe, route: routes[operation] as Route }))
    .filter(({ route }) => route.reach[role] !== 'none')

test('every operation is looked at here, or said to be about no client', () => {
  const known = [...Object.keys(recipes), ...Object.keys(lists), ...aboutNoClient]
  expect(known.toSorted()).toEqual(Object.keys(routes).toSorted())
})

describe.each(roles)('%s', (role) => {
  // Before anything is changed.
  test.each((Object.keys(lists) as OperationId[]).filter((operation) => routes[operation].reach[role] !== 'none'))(
    '%s holds exactly what is within reach',
    async (operation) => {
      const route = routes[operation] as Route
      const { person } = people.get(role)!
      for (const headers of route.beyondNeedsPurpose ? [{}, { 'Purpose-Of-Use': 'HOPERAT' }] : [{}]) {
        const answer = await person.call('GET', `${route.path}?limit=200`, undefined, headers)
        expect(answer.status).toBe(200)
        const ids = (answer.body.data as { id: string }[]).map(({ id }) => id)
        expect(ids.toSorted()).toEqual(within(operation, role, 'Purpose-Of-Use' in headers).toSorted())
      }
    },
  )
})

/** Ids of all records that a list must hold for this role's person. */
function within(operation: OperationId, role: Role, hasPurpose: boolean): string[] {
  const { person } = people.get(role)!
  return [...people.values()].flatMap(({ records, person: of }) =>
    whoseClients.flatMap((whose) => {
      // Another role's person's own client, or supervisee's, is a colleague's.
      const seen = of === person || whose === 'nobody' || whose === 'elsewhere' ? whose : 'colleague'
      const isWithin = expected(routes[operation], role, seen, hasPurpose) === 'allowed'
      return isWithin ? lists[operation]!(records[whose]) : []
    }),
  )
}

describe.each(roles)('%s', (role) => {
  test('may not call what the table does not name the role for, and is told who may', async () => {
    const { person } = people.get(role)!
    for (const [operation, route] of table.filter(([, { reach }]) => reach[role] === 'none')) {
      const answer = await ask(person, route, { ...(route.body ? { body: {} } : {}), headers: named(route) })
      expect([operation, answer.status, answer.body?.code]).toEqual([operation, 403, 'forbidden'])
      for (const other of roles) expect(answer.body.detail.includes(other)).toBe(route.reach[other] !== 'none')
    }
  })

  test.each(recipesFor(role))('$operation reaches what the table says and nothing else', async ({ operation, recipe, route }) => {
    const { person, records } = people.get(role)!
    for (const whose of whoseClients) {
      const asked = recipe(records[whose], records[whose].draft)
      const outcome = (whose === 'own' && asked.own) || expected(route, role, whose)
      const answer = await ask(person, route, asked)
      expect(declared(route), `${operation} ${whose} ${answer.text}`).toContain(answer.status)
      if (outcome === 'allowed') expect([whose, answer.status]).toEqual([whose, asked.allowed])
      else if (whose === 'elsewhere' && asked.params !== undefined) {
        // Nothing tells an id of another practice from one that is nowhere; a change names a version of neither.
        const nowhere = await ask(person, route, { ...asked, params: { id: newId() } })
        expect([answer.status, answer.body.code]).toEqual([nowhere.status, nowhere.body.code])
        expect([404, 412]).toContain(answer.status)
      } else {
        expect([whose, answer.status, answer.body.code]).toEqual([whose, errorKinds[outcome].status, outcome])
        for (const canary of Object.values(canaries)) expect(answer.text).not.toContain(canary)
      }
      if (outcome !== 'purpose-missing') continue
      const withPurpose = { ...asked, headers: { ...asked.headers, 'Purpose-Of-Use': 'HCOMPL' } }
      expect((await ask(person, route, withPurpose)).status).toBe(asked.allowed)
    }
  })
})

/** The header by which one of two operations at an address is told. */
const named = ({ when }: Route): Record<string, string> => (when === undefined ? {} : { [when]: '1' })
