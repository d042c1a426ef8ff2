import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { consentSchema } from '#contract/model/consent.ts'
import { ownTemplateSchema } from '#contract/model/template.ts'
import { transcriptSchema } from '#contract/model/transcript.ts'
import { contentHash } from '#core/records/content-hash.ts'
import { createKeptHere } from '#core/sync/capabilities/local-only.ts'
import { at, engine, mergeVault, record } from './merge-vault.ts'

/** A vault with one client and everything that hangs on one. */
function vault() {
  const opened = mergeVault()
  const { db, merge, outbox, client, session } = opened
  const consent = consentSchema.parse({
    ...record,
    client_id: client.id,
    id: newId(systemClock),
    participant: { name: 'Erased Client', role: 'client' },
    scopes: ['record'],
    text_version: '1',
    method: 'spoken',
    given_at: at,
    revoked_at: null,
  })
  const ofSession = { session_id: session.id }
  const segments = [
    { id: 's1', speaker_id: null, start_ms: null, end_ms: null, text: 'Something said.', confidence: null, edited: false },
  ]
  const words = { language: 'en', duration_ms: null, speakers: [], segments, engine }
  const transcript = transcriptSchema.parse({ ...record, ...ofSession, id: newId(systemClock), ...words })
  merge.take({ kind: 'consent', record: consent })
  merge.take({ kind: 'transcript', record: transcript })
  const count = (table: string): number => db.prepare(`select count(*) from ${table}`).pluck().get() as number
  const left = (): Record<string, number> =>
    Object.fromEntries(
      ['clients', 'sessions', 'consents', 'transcripts', 'segments', 'notes'].map((table) => [table, count(table)]),
    )
  const edit = (): void =>
    outbox.add({
      kind: 'update-session',
      client_id: client.id,
      ...ofSession,
      subject_id: session.id,
      body: { patch: { modality: 'video' }, base: { modality: 'in_person' } },
    })
  const recorded = (): void =>
    void db
      .prepare(
        `insert into recordings (id, session_id, state, window_id, device_label, started_at, saved_ms, bytes, gaps)
         values ('r', ?, 'finished', '', '', ?, 0, 0, '[]')`,
      )
      .run(session.id, at)
  return { ...opened, consent, transcript, left, count, edit, recorded }
}

let here: ReturnType<typeof vault>
beforeEach(() => {
  here = vault()
})
const nothing = { clients: 0, sessions: 0, consents: 0, transcripts: 0, segments: 0, notes: 0 }
const everything = { clients: 1, sessions: 1, consents: 1, transcripts: 1, segments: 1, notes: 1 }

test('what was erased at the service goes here with all that hangs on it, and nothing that comes late brings it back', () => {
  const { merge, client, session, transcript, left, audit } = here
  merge.take({ kind: 'transcript', gone: transcript.id })
  expect(left()).toEqual({ ...everything, transcripts: 0, segments: 0 })
  merge.take({ kind: 'transcript', record: { ...transcript, version: 2 } })
  expect(left()).toMatchObject({ transcripts: 0 })
  merge.take({ kind: 'session', gone: session.id })
  expect(left()).toEqual({ ...nothing, clients: 1, consents: 1 })
  merge.take({ kind: 'client', gone: client.id })
  merge.take({ kind: 'client', record: { ...client, version: 2 } })
  expect(left()).toEqual(nothing)
  expect(audit.verify()).toBeNull()
})

test('of a client that was erased nothing is left of what was agreed on, and nothing of it comes back', () => {
  const { db, merge, client, session, transcript, note, left } = here
  merge.take({ kind: 'client', gone: client.id })
  const agreed = db.prepare('select id, record from common_versions order by id').all()
  const ids = [client, session, transcript, note].map(({ id }) => id)
  expect(agreed).toEqual(ids.toSorted().map((id) => ({ id, record: null })))
  merge.take({ kind: 'session', record: { ...session, version: 2 } })
  expect(left()).toEqual(nothing)
})

test('nothing that was not sent, and no sound, goes with it before somebody was asked', async () => {
  const { merge, handlers, session, left, edit, recorded, erasedSound, outbox } = here
  edit()
  recorded()
  merge.take({ kind: 'session', gone: session.id })
  merge.take({ kind: 'session', gone: session.id })
  expect(left()).toEqual(everything)
  const [asked, ...more] = await handlers['conflicts.list']({ decided: false })
  expect(more).toEqual([])
  expect(asked).toMatchObject({ kind: 'erased', record: 'session', unsent_changes: 1, recordings: 1 })
  await handlers['conflicts.resolve']({ id: asked!.id, version: asked!.version, choice: { kind: 'erased', do: 'erase' } })
  expect(erasedSound).toEqual(['r'])
  expect(left()).toEqual({ ...nothing, clients: 1, consents: 1 })
  expect(outbox.list()).toEqual([])
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
})

test('what the service could not take is not sent either: asked about, and gone with the record or no longer to be told', async () => {
  const { db, merge, handlers, client, session, note, left, count } = here
  const keep = createKeptHere(db).keep
  const about = { client_id: client.id, session_id: session.id }
  keep({ kind: 'put-note', ...about, subject_id: note.id, body: {} })
  merge.take({ kind: 'note', gone: note.id })
  expect(left()).toEqual(everything)
  const [ofNote] = await handlers['conflicts.list']({ decided: false })
  expect(ofNote).toMatchObject({ kind: 'erased', record: 'note', unsent_changes: 1 })
  await handlers['conflicts.resolve']({ id: ofNote!.id, version: ofNote!.version, choice: { kind: 'erased', do: 'erase' } })
  expect([left()['notes'], count('kept_here')]).toEqual([0, 0])

  keep({ kind: 'update-client', client_id: client.id, session_id: null, subject_id: client.id, body: {} as never })
  keep({ kind: 'put-transcript', ...about, subject_id: newId(systemClock), body: {} })
  merge.take({ kind: 'session', gone: session.id })
  merge.take({ kind: 'client', gone: client.id })
  const asked = await handlers['conflicts.list']({ decided: false })
  expect(asked).toMatchObject([
    { record: 'session', unsent_changes: 1 },
    { record: 'client', unsent_changes: 2 },
  ])
  await handlers['conflicts.resolve']({ id: asked[0]!.id, version: asked[0]!.version, choice: { kind: 'erased', do: 'erase' } })
  expect(count('kept_here')).toBe(1)
  await handlers['conflicts.resolve']({ id: asked[1]!.id, version: asked[1]!.version, choice: { kind: 'erased', do: 'keep' } })
  expect([left()['clients'], count('kept_here')]).toEqual([1, 0])
})

test('kept by choice, it stays with its sound, and nothing waits to be sent of it', async () => {
  const { merge, handlers, client, left, edit, recorded, erasedSound, outbox } = here
  edit()
  recorded()
  merge.take({ kind: 'client', gone: client.id })
  const [asked] = await handlers['conflicts.list']({ decided: false })
  await handlers['conflicts.resolve']({ id: asked!.id, version: asked!.version, choice: { kind: 'erased', do: 'keep' } })
  expect(left()).toEqual(everything)
  expect(erasedSound).toEqual([])
  expect(outbox.list()).toEqual([])
})

test('an agreement that is gone at the service counts no more', async () => {
  const { merge, consent, stopped, count, client } = here
  merge.take({ kind: 'consent', gone: consent.id })
  await Promise.resolve()
  expect(count('consents')).toBe(0)
  expect(stopped).toEqual([client.id])
})

test('the same record taken twice, or an older one after it, changes nothing', () => {
  const { merge, client, count, db } = here
  const renamed = { ...client, display_name: 'Renamed', version: 2 }
  for (const one of [renamed, renamed, client]) merge.take({ kind: 'client', record: one })
  expect(db.prepare('select display_name, version, service_version from clients').get()).toEqual({
    display_name: 'Renamed',
    version: 2,
    service_version: 2,
  })
  expect(count('conflicts')).toBe(0)
})

test('a form changed on both sides is asked about; changed on one, it is taken or kept', async () => {
  const { merge, handlers, db } = here
  const form = ownTemplateSchema.parse({
    ...record,
    id: newId(systemClock),
    name: 'Form',
    sections: [{ key: 'said', title: 'Said', holds: ['said'] }],
  })
  const nameOf = (): unknown => JSON.parse(db.prepare('select body from templates').pluck().get() as string).name
  merge.take({ kind: 'template', record: form })
  merge.take({ kind: 'template', record: { ...form, name: 'Changed there', version: 2 } })
  expect(nameOf()).toBe('Changed there')
  db.prepare(`update templates set body = json_set(body, '$.name', 'Changed here')`).run()
  merge.take({ kind: 'template', record: { ...form, name: 'Changed there', version: 3 } })
  expect(nameOf()).toBe('Changed here')
  merge.take({ kind: 'template', record: { ...form, name: 'Changed again', version: 4 } })
  const [asked] = await handlers['conflicts.list']({ decided: false })
  expect(asked).toMatchObject({
    kind: 'document',
    record: 'template',
    mine: { name: 'Changed here' },
    theirs: { name: 'Changed again' },
  })
  merge.take({ kind: 'template', record: { ...form, name: 'Changed again', version: 5 } })
  expect(await handlers['conflicts.list']({ decided: false })).toMatchObject([{ id: asked!.id }])
  const [still] = await handlers['conflicts.list']({ decided: false })
  await handlers['conflicts.resolve']({ id: still!.id, version: still!.version, choice: { kind: 'document', side: 'theirs' } })
  expect(nameOf()).toBe('Changed again')
})

test('a later no here counts after an earlier one elsewhere: what was agreed to in between is taken back, known or not', () => {
  const { merge, consent, db } = here
  const between = (): typeof consent => ({ ...consent, id: newId(systemClock), given_at: '2026-11-24T10:00:00.000Z' })
  const [known, comes, later] = [between(), between(), { ...between(), given_at: '2026-11-24T13:00:00.000Z' }]
  merge.take({ kind: 'consent', record: known })
  const no = '2026-11-24T12:00:00.000Z'
  db.prepare('update consents set revoked_at = ? where id = ?').run(no, consent.id)
  const first = '2026-11-24T09:30:00.000Z'
  merge.take({ kind: 'consent', record: { ...consent, version: 2, revoked_at: first } })
  for (const record of [comes, later]) merge.take({ kind: 'consent', record })
  const revokedAt = ({ id }: { id: string }): unknown =>
    db.prepare('select revoked_at from consents where id = ?').pluck().get(id)
  expect([consent, known, comes, later].map(revokedAt)).toEqual([first, no, no, null])
  const told = db.prepare('select kind, subject_id from outbox order by sequence').all()
  expect(told).toEqual([known, comes].map(({ id }) => ({ kind: 'revoke-consent', subject_id: id })))
})

describe('words that stand in a question alone, since the note was signed elsewhere', () => {
  /** Written in here and not sent, when the signed one came. */
  const signedElsewhere = (): void => {
    const { note, client, session, merge, outbox, records } = here
    const about = { client_id: client.id, session_id: session.id, subject_id: note.id }
    records.notes.replace({ ...records.notes.find(note.id)!, template: 'dap', version: 2 }, 1)
    outbox.add({ kind: 'put-note', ...about, body: {} })
    const signature = { by: 'Kim Osei', credential: null, at, method: 'click' as const, content_hash: contentHash(note) }
    merge.take({ kind: 'note', record: { ...note, status: 'signed', signature, version: 2 } })
    expect(outbox.list()).toEqual([])
  }

  test('are not erased with it before somebody has seen them, and then it goes', async () => {
    const { note, merge, handlers } = here
    signedElsewhere()
    merge.take({ kind: 'note', gone: note.id })
    const [asked] = await handlers['conflicts.list']({ decided: false })
    expect(asked).toMatchObject({ kind: 'document', mine: { template: 'dap' }, choices: ['theirs'] })
    const choice = { kind: 'document', side: 'theirs' } as const
    await handlers['conflicts.resolve']({ id: asked!.id, version: asked!.version, choice })
    expect(here.left()).toEqual({ ...everything, notes: 0 })
    expect(here.count('conflicts')).toBe(0)
  })

  test('nor with the session, or the client, before somebody was asked', async () => {
    const { client, session, merge, handlers } = here
    signedElsewhere()
    merge.take({ kind: 'session', gone: session.id })
    merge.take({ kind: 'client', gone: client.id })
    const asked = (await handlers['conflicts.list']({ decided: false })).filter(({ kind }) => kind === 'erased')
    expect(asked).toMatchObject([
      { record: 'session', unsent_changes: 1 },
      { record: 'client', unsent_changes: 1 },
    ])
    expect(here.left()).toEqual(everything)
  })
})
