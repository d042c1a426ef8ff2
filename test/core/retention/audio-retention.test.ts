import { expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { systemClock, timestamp } from '#base/clock.ts'
import { consentSchema, type ConsentScope } from '#contract/model/consent.ts'
import type { Note } from '#contract/model/note.ts'
import type { Participant } from '#contract/model/session.ts'
import { announced, createAudioRetention } from '#core/records/consent/audio-retention.ts'
import { failed, idle, waiting, waitingForSpeech } from '#core/records/work/work-repository.ts'
import { textAskingToKeep } from '#domain/consent.ts'
import { at, mergeVault, record } from '#test/core/merge/merge-vault.ts'

const asked = `${textAskingToKeep} laptop`
const before = '2026-11-24T10:00:00.000Z'
const signedAt = '2026-11-24T11:00:00.000Z'
const after = '2026-11-24T12:00:00.000Z'
const signature = { by: 'Kim Osei', credential: null, at: signedAt, method: 'click' as const, content_hash: 'ab'.repeat(32) }

/** A session whose audio must be deleted now: refused, signed here, transcribed, sent, compared. Each test changes one thing. */
function dueVault(isRemote = false) {
  const vault = mergeVault()
  const { db, records, outbox, audit, session, client, note } = vault
  const service = { address: isRemote ? 'https://practice.example/v1' : null }
  const retention = createAudioRetention({
    ...records,
    db,
    outbox,
    isRemote: () => service.address !== null,
    address: () => service.address,
  })
  const recording = newId(systemClock)
  const recordAgain = (id: string, state = 'finished'): void =>
    void db
      .prepare(
        `insert into recordings (id, session_id, state, window_id, device_label, started_at, saved_ms, bytes, gaps)
         values (?, ?, ?, 'w', '', ?, 1000, 1000, '[]')`,
      )
      .run(id, session.id, state, at)
  recordAgain(recording)
  const give = (scopes: ConsentScope[], given_at = before, text_version = asked, participant = personOf(client.display_name)) => {
    const form = { scopes, given_at, text_version, participant, client_id: client.id, method: 'spoken', witness: null }
    const consent = consentSchema.parse({ ...record, ...form, id: newId(systemClock), language: 'en', revoked_at: null })
    records.consents.insert(consent)
    return consent.id
  }
  const refusal = give(['record', 'transcribe', 'draft'])
  const sign = (change: Partial<Note> = {}): void => {
    records.notes.replace({ ...note, status: 'signed', signature, ...change, client_id: client.id, session_id: session.id }, 1)
  }
  audit.append({ action: announced, subject_id: recording, client_id: client.id }, signedAt)
  sign()
  retention.reading()
  retention.checked()
  const transcript = { ...record, id: newId(systemClock), session_id: session.id, language: 'en', duration_ms: 1000 }
  const segments = [{ id: 's1', speaker_id: null, start_ms: 0, end_ms: 900, text: 'I slept.', confidence: null, edited: false }]
  records.transcripts.put({ ...transcript, speakers: [], segments, engine: note.engine }, at, 1)
  const plan = () => retention.planOf(session.id)
  const set = { recordAgain, give, sign, plan, refusal, recording, service, retention }
  return { ...vault, ...set }
}

type DueVault = ReturnType<typeof dueVault>

const personOf = (name: string, role: Participant['role'] = 'client'): Participant => ({ name, role })
const partner = personOf('Jonah', 'partner')
const bring = ({ db, session, client }: DueVault, people: Participant[] = [personOf(client.display_name), partner]): void =>
  void db.prepare('update sessions set participants = ? where id = ?').run(JSON.stringify(people), session.id)

test('audio that the client refused to have kept is due once its note is signed here and nothing of it is owed', () => {
  const vault = dueVault()
  expect(vault.retention.due()).toEqual([vault.recording])
})

test('that is read again from the database for each answer', () => {
  const vault = dueVault()
  vault.records.work.set(vault.session.id, 'transcribe', waiting)
  expect(vault.retention.due()).toEqual([])
  vault.records.work.set(vault.session.id, 'transcribe', idle)
  expect(vault.retention.due()).toEqual([vault.recording])
})

const changes: Record<string, readonly [because: string, change: (vault: DueVault) => void]> = {
  'a transcript waits for an engine, without an entry in the outbox': [
    'transcript',
    ({ records, session }) => records.work.set(session.id, 'transcribe', waitingForSpeech),
  ],
  'its transcript is being made': ['transcript', (vault) => intend(vault, 'transcribe')],
  'its transcript needs a person': [
    'transcript',
    (vault) => {
      intend(vault, 'transcribe')
      vault.db.exec("update outbox set state = 'needs_you'")
    },
  ],
  'its transcript was stopped': [
    'transcript',
    ({ records, session }) => records.work.set(session.id, 'transcribe', failed('cancelled')),
  ],
  'its transcript was stopped by Cancel': [
    'transcript',
    ({ records, session }) => records.work.set(session.id, 'transcribe', { ...idle, error: 'cancelled' }),
  ],
  'its transcript failed': [
    'transcript',
    ({ records, session }) => records.work.set(session.id, 'transcribe', failed('engine-failed')),
  ],
  'consent to a transcript was withdrawn while it was made': [
    'transcript',
    ({ records, session }) => records.work.set(session.id, 'transcribe', failed('consent-missing')),
  ],
  'its transcript is lost and a new one cannot be stored': [
    'transcript',
    ({ db, records, session }) => {
      db.exec('delete from transcripts')
      records.work.set(session.id, 'transcribe', failed('conflict'))
    },
  ],
  'its transcript has no words': ['transcript', ({ db }) => db.exec('delete from segments')],
  'the recording was cut off': ['recording', ({ db }) => db.exec("update recordings set state = 'interrupted'")],
  'another recording of the session is here': ['your-decision', ({ recordAgain }) => recordAgain(newId(systemClock))],
  'its words are of an earlier recording, which was deleted by hand': [
    'your-decision',
    ({ db }) => db.exec(`update recordings set started_at = '${before}'`),
  ],
  'the signature is not sent yet': ['sync', (vault) => intend(vault, 'sign-note')],
  'a consent is not sent yet': ['sync', (vault) => intend(vault, 'give-consent', null)],
  'the note has two versions': ['sync', conflict],
  'the note waits for a cosignature': ['cosignature', ({ sign }) => sign({ status: 'awaiting_cosign' })],
  'the note was entered in error': ['your-decision', ({ sign }) => sign({ status: 'entered_in_error' })],
  'the note was signed elsewhere after it was returned': [
    'your-decision',
    ({ sign }) => sign({ signature: { ...signature, at: after } }),
  ],
  'the signer was not told, as in an older version': ['your-decision', ({ db }) => db.exec('delete from audit')],
  'consent to keep the audio was given after signing': ['agreed', ({ give }) => give(['retain'], after)],
  'the client agreed to keep it on an older form that still holds': ['agreed', ({ give }) => give(['retain'], at)],
  'only a form that does not ask about it is here': [
    'not-asked',
    ({ db }) => db.exec("update consents set text_version = 'read-aloud-2026-1 laptop'"),
  ],
  'no consent is here': ['not-asked', ({ db }) => db.exec('delete from consents')],
  'any consent of a person present was withdrawn after signing': [
    'your-decision',
    ({ records, refusal }) => records.consents.revoke(refusal, after),
  ],
  'only the other client of the record refused': [
    'not-asked',
    (vault) => {
      vault.db.exec("update consents set text_version = 'read-aloud-2026-1 laptop'")
      vault.give(['record'], '2026-11-24T10:30:00.000Z', asked, personOf('Jonah'))
    },
  ],
  'another person was there, who was not asked': ['not-asked', (vault) => bring(vault)],
  'two people were there, and one of them has a form that does not ask': [
    'not-asked',
    (vault) => {
      bring(vault)
      vault.give(['record'], before, '1', partner)
    },
  ],
  'the vault was repaired after the consent': ['repaired', ({ db }) => repaired(db, before)],
  'the vault was repaired after signing': ['repaired', ({ db }) => repaired(db, after)],
  'the service’s database was repaired after signing': ['repaired', ({ db }) => repaired(db, after, 'service')],
  'the session is lost': [
    'not-asked',
    ({ db }) => db.exec('pragma foreign_keys = off; delete from sessions; pragma foreign_keys = on'),
  ],
  'the records were moved to another service': ['sync', ({ service }) => void (service.address = 'https://other.example/v1')],
}

test.each(Object.entries(changes))('audio stays when %s', (_when, [because, change]) => {
  const vault = dueVault()
  change(vault)
  expect(vault.plan()).toMatchObject({ because })
  expect(vault.retention.due()).toEqual([])
})

test.each(['draft', 'in_review', 'returned'] as const)(
  'audio stays while the note is %s, and the page says that signing deletes it',
  (status) => {
    const vault = dueVault()
    vault.sign({ status, signature: status === 'returned' ? signature : null })
    expect(vault.plan()).toEqual({ outcome: 'deleted-by-signing', because: null })
    expect(vault.retention.due()).toEqual([])
  },
)

test('audio stays until the two databases have been compared', () => {
  const { records, db, outbox, session } = dueVault()
  const opened = createAudioRetention({ ...records, db, outbox, isRemote: () => false, address: () => null })
  expect(opened.planOf(session.id)).toEqual({ outcome: 'deleted-after-signing', because: 'check' })
  expect(opened.due()).toEqual([])
  opened.reading()
  opened.checked()
  expect(opened.due()).toHaveLength(1)
})

test('with a practice’s service, audio stays until its records have been read after signing', () => {
  const vault = dueVault(true)
  expect(vault.retention.due()).toEqual([vault.recording])
  vault.audit.append({ action: announced, subject_id: vault.recording }, after)
  vault.sign({ signature: { ...signature, at: after } })
  expect(vault.plan()).toEqual({ outcome: 'deleted-after-signing', because: 'sync' })
  vault.retention.checked()
  expect(vault.retention.due(), 'read before it').toEqual([])
  vault.retention.reading()
  vault.retention.checked()
  expect(vault.retention.due()).toEqual([vault.recording])
})

test.each([
  ['a list of consents was not read to its end', `insert into pull_lists (kind, since, state) values ('consent', '', 'walking')`],
  ['it refuses its list of consents', `insert into pull_lists (kind, since, state) values ('consent', '', 'refused')`],
  ['a consent could not be read', `insert into pull_wanted (kind, id, version, held) values ('consent', 'x', 1, 'unreadable')`],
])('with a practice’s service, audio stays when %s', (_when, sql) => {
  const { db, retention } = dueVault(true)
  db.exec(sql)
  expect(retention.due()).toEqual([])
})

test('one person’s refusal is enough when all who were there have been asked', () => {
  const vault = dueVault()
  bring(vault)
  vault.give(['record', 'retain'], before, asked, partner)
  expect(vault.retention.due()).toEqual([vault.recording])
  vault.give(['retain'], after)
  expect(vault.plan()).toEqual({ outcome: 'kept', because: 'agreed' })
})

test.each([
  ['of another scope', ['record'] as ConsentScope[], personOf('Erased Client')],
  ['of another person', ['retain'] as ConsentScope[], partner],
  ['of a namesake with another role', ['retain'] as ConsentScope[], personOf('Erased Client', 'parent')],
])('a withdrawal %s is no refusal of a client who agreed to keep the audio', (_whose, scopes, participant) => {
  const vault = dueVault()
  vault.db.exec('delete from consents')
  vault.give(['record', 'retain'])
  const other = vault.give(scopes, before, asked, participant)
  vault.sign({ status: 'draft', signature: null })
  vault.records.consents.revoke(other, '2026-11-24T10:30:00.000Z')
  expect(vault.plan()).toMatchObject({ outcome: 'kept' })
  expect(vault.retention.deletedBySigning(vault.session.id)).toBeNull()
})

test('a refusal counts after the client was renamed', () => {
  const vault = dueVault()
  vault.db.prepare('update clients set display_name = ? where id = ?').run('Married Name', vault.client.id)
  expect(vault.retention.due()).toEqual([vault.recording])
})

test('a client who agreed and withdrew before signing has refused', () => {
  const vault = dueVault()
  vault.records.consents.revoke(vault.give(['retain'], '2026-11-24T10:10:00.000Z'), '2026-11-24T10:30:00.000Z')
  expect(vault.retention.due()).toEqual([vault.recording])
})

test('a client who refused when the Spanish text was read has refused', () => {
  const vault = dueVault()
  vault.db.exec(`update consents set text_version = '${asked} es', language = 'es'`)
  expect(vault.retention.due()).toEqual([vault.recording])
})

test('signing deletes nothing that the page has not said', () => {
  const vault = dueVault()
  expect(vault.retention.deletedBySigning(vault.session.id)).toBeNull()
  vault.sign({ status: 'draft', signature: null })
  expect(vault.retention.deletedBySigning(vault.session.id)).toBe(vault.recording)
  vault.db.exec('delete from transcripts')
  expect(vault.plan()).toEqual({ outcome: 'deleted-by-signing', because: 'unheard' })
})

function intend({ outbox, client, session, note }: DueVault, kind: 'transcribe' | 'sign-note' | 'give-consent', of?: null): void {
  const session_id = of === null ? null : session.id
  outbox.add({ kind, client_id: client.id, session_id, subject_id: note.id, body: {} } as unknown as Parameters<
    typeof outbox.add
  >[0])
}

function conflict({ db, note, client, session }: DueVault): void {
  db.prepare(
    `insert into conflicts (id, kind, record_kind, record_id, client_id, session_id, version, body, found_at)
     values ('c', 'document', 'note', ?, ?, ?, 1, '{}', ?)`,
  ).run(note.id, client.id, session.id, timestamp(systemClock))
}

function repaired(db: DueVault['db'], when: string, file = 'vault'): void {
  db.prepare(
    `insert into recovery_reports (id, at, file, cause, set_aside, pages, unreadable_pages) values (?, ?, ?, 'damaged', '[]', 0, 0)`,
  ).run(newId(systemClock), when, file)
}
