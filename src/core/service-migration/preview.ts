import type { MovingLook, MovingProblem } from '#contract/bridge/moving.ts'
import type { Me } from '#contract/model/me.ts'
import type { Capability, ServiceDocument } from '#contract/model/service-document.ts'
import type { ServiceClient } from '#client/client.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { orNull } from '#core/outbox/sending.ts'
import { isTemplateInUse } from './migration-repository.ts'

type Counts = MovingLook['send']

const needed: readonly Capability[] = ['clients.write', 'sessions.sync', 'consents', 'transcripts', 'notes', 'templates']
const treating = ['owner', 'clinician', 'supervisor']
export const OWN_SHARE = 0.8
const DAY_MS = 86_400_000

export async function previewTarget(
  client: ServiceClient,
  { db, clock, toPractice }: { readonly db: Sqlite; readonly clock: Clock; readonly toPractice: boolean },
) {
  const document = await orNull(client.call('describeService', {}).then(({ data }) => data))
  const me = document && (await orNull(client.call('whoAmI', {}).then(({ data }) => data)))
  const found = problemsOf(document, me)
  const there = found.some(({ blocking }) => blocking) ? { ours: 0, others: 0, more: false } : await clientsThere(client, db, me)
  const send = countOwn(db)
  const days = daysFor(send.sessions - (there.ours > 0 ? count(db, sentSessions) : 0), me)
  const end = Date.parse(me?.ends_at ?? '')
  const laptop_consents = toPractice ? count(db, laptopConsents) : 0
  const more: MovingProblem[] = [
    ...(laptop_consents > 0 ? [problem('consents-say-laptop')] : []),
    ...(there.others > 0 ? [problem('others-there')] : []),
    ...(there.ours > 0 ? [problem('sent-before')] : []),
    ...(days > 1 ? [problem('takes-days')] : []),
    ...(end < clock.now() + days * DAY_MS && me?.key?.renews_for_days == null ? [problem('key-ends')] : []),
  ]
  const person = me && { id: me.person_id, name: me.name, roles: [...me.roles] }
  const look: MovingLook = {
    looked_at: timestamp(clock),
    service: document?.name.slice(0, 200) ?? '',
    practice: me?.practice.name ?? '',
    person,
    key_ends_at: me?.ends_at ?? null,
    there,
    send,
    laptop_consents,
    days,
    problems: [...found, ...more],
  }
  return { look, me, hasCoverage: document?.capabilities.includes('coverage') ?? false }
}

const problem = (code: MovingProblem['code'], blocking = false): MovingProblem => ({ code, blocking })

function problemsOf(document: ServiceDocument | null, me: Me | null): MovingProblem[] {
  const missing = needed.filter((name) => !document?.capabilities.includes(name))
  if (missing.includes('clients.write')) return [problem('published-only', true)]
  if (missing.length > 0) return [problem('offers-too-little', true)]
  if (me === null) return [problem('person-unknown', true)]
  return [...problemsOfCaller(me), ...(me.consent_policy === 'asserted' ? [problem('consent-asserted')] : [])]
}

export const problemsOfCaller = (me: Me): MovingProblem[] => [
  ...(me.roles.some((role) => treating.includes(role)) ? [] : [problem('role', true)]),
  ...(me.key?.mode === 'test' ? [problem('test-key', true)] : []),
]

/** Reads one page only, because listing clients counts toward the daily quota. */
async function clientsThere(client: ServiceClient, db: Sqlite, me: Me | null): Promise<MovingLook['there']> {
  const { data: page } = await client.call('listClients', { query: { limit: 200 } })
  const isOurs = db.prepare('select 1 from clients where id = ?')
  const ours = page.data.filter(({ id }) => isOurs.get(id) !== undefined).length
  const isOthers = (whose: string | null): boolean => whose !== null && whose !== me?.person_id
  const others = page.data.filter(({ clinician_id }) => isOthers(clinician_id)).length
  return { ours, others, more: page.next_cursor !== null }
}

const count = (db: Sqlite, rows: string): number => db.prepare(`select count(*) from ${rows}`).pluck().get() as number

/** Unrevoked consents to a text about this laptop. Their `text_version` has the word `laptop`. */
const laptopConsents = `consents where revoked_at is null and ' ' || text_version || ' ' like '% laptop %'`
const sentSessions = `moving_records where kind = 'session' and there_version is not null`

function countOwn(db: Sqlite): Counts {
  const own = (rows: string): number => count(db, rows)
  return {
    clients: own('clients'),
    consents: own('consents'),
    sessions: own('sessions'),
    transcripts: own('transcripts'),
    notes: own('notes'),
    signed_notes: own('notes where signature is not null'),
    addenda: own('notes, json_each(notes.addenda)'),
    templates: own(`templates where ${isTemplateInUse}`),
    recordings: own(`outbox where kind = 'transcribe'`),
  }
}

function daysFor(sessions: number, me: Pick<Me, 'quota'> | null): number {
  if (me?.quota == null) return 1
  const { limit, used } = me.quota
  const daily = Math.max(1, Math.floor(limit * OWN_SHARE))
  const left = Math.max(0, daily - used - 1)
  return 1 + Math.ceil(Math.max(0, sessions - left) / daily)
}
