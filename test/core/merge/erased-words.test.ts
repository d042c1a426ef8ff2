import { expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { type Note, noteSectionSchema, type NoteSection } from '#contract/model/note.ts'
import { transcriptSchema } from '#contract/model/transcript.ts'
import { contentHash, withoutQuotes } from '#core/records/content-hash.ts'
import { createKeptHere } from '#core/sync/capabilities/local-only.ts'
import { at, engine, mergeVault, record } from './merge-vault.ts'

const said = 'Said once and erased'

/** One sentence in the therapist's own words, which quotes what was said. */
function writing(text: string): NoteSection[] {
  const evidence = [{ segment_id: 's1', start_ms: null, end_ms: null, quote: said }]
  const of = { support: 'clinician_entered', origin: 'person', safety: false, confirmed_at: null }
  const section = { key: 'subjective', id: 'subjective', title: 'Subjective', statements: [{ id: 's-1', text, evidence, ...of }] }
  return [noteSectionSchema.parse(section)]
}

/** A note that was written in here, and its transcript. */
function vault() {
  const opened = mergeVault()
  const { merge, records, outbox, client, session, note } = opened
  const segment = { id: 's1', speaker_id: null, start_ms: null, end_ms: null, text: said, confidence: null, edited: false }
  const words = { language: 'en', duration_ms: null, speakers: [], segments: [segment], engine }
  const transcript = transcriptSchema.parse({ ...record, ...words, session_id: session.id, id: newId(systemClock) })
  merge.take({ kind: 'transcript', record: transcript })
  const about = { client_id: client.id, session_id: session.id, subject_id: note.id }
  const mine = { ...records.notes.find(note.id)!, sections: writing('mine') }
  records.notes.replace(mine, 1)
  outbox.add({ kind: 'put-note', ...about, body: {} })
  const kept = (words: string): number =>
    opened.db
      .prepare("select count(*) from conflicts where instr(body || coalesce(choice, ''), ?) > 0")
      .pluck()
      .get(words) as number
  return { ...opened, transcript, mine, about, kept }
}

/** Decided, and told. */
async function decide({ handlers, db }: ReturnType<typeof vault>, choice: object): Promise<void> {
  const [asked] = await handlers['conflicts.list']({ decided: false })
  await handlers['conflicts.resolve']({ id: asked!.id, version: asked!.version, choice: choice as never })
  db.exec('delete from outbox')
}

test('words that are erased go from what somebody wrote together as from both sides of it', async () => {
  const here = vault()
  const { merge, note, transcript, records, handlers } = here
  merge.take({ kind: 'note', record: { ...note, sections: writing('theirs'), version: 2 } })
  await decide(here, { kind: 'together', from: 'mine', sections: writing('mine') })
  expect(here.kept(said)).toBe(1)
  merge.take({ kind: 'transcript', gone: transcript.id })
  expect(records.notes.find(note.id)?.sections[0]?.statements[0]).toMatchObject({ text: 'mine', evidence: [{ quote: null }] })
  expect(here.kept(said)).toBe(0)
  const [decided] = await handlers['conflicts.list']({ decided: true })
  expect(decided).toMatchObject({ written: [{ statements: [{ text: 'mine', evidence: [{ quote: null }] }] }] })
})

test.each([
  ['written from two notes', { kind: 'together', from: 'mine', sections: writing('mine') }],
  ['chosen though it was the earlier of two', { kind: 'document', side: 'mine' }],
])('of a note that was %s nothing stays in what was decided once it is erased', async (_how, choice) => {
  const here = vault()
  const { merge, note, records, session } = here
  const other = { ...note, id: newId(systemClock), created_at: '2030-01-01T00:00:00.000Z' }
  merge.take({ kind: 'note', record: { ...other, sections: writing('theirs') } })
  await decide(here, choice)
  const anew = records.notes.ofSession(session.id)!
  expect([note.id, other.id]).not.toContain(anew.id)
  expect(here.kept('mine')).toBe(1)
  merge.take({ kind: 'note', gone: anew.id })
  expect(records.notes.ofSession(session.id)).toBeNull()
  expect(here.kept('mine')).toBe(0)
})

test('a signature that no service could be told of yet stays over what was signed when its words are erased', () => {
  const { merge, records, mine, about, transcript, db } = vault()
  const signature = { signed_by: 'Kim Osei', signed_at: at, content_hash: contentHash(mine), statement: 'Signed.' } as never
  db.exec('delete from outbox')
  records.notes.replace({ ...mine, status: 'signed', signature }, 1)
  createKeptHere(db).keep({ kind: 'sign-note', ...about, body: { signature } })
  merge.take({ kind: 'transcript', gone: transcript.id })
  expect(contentHash(records.notes.find(mine.id)!)).toBe(contentHash(mine))
})

/** What the service makes of a draft that is put there once its source was erased. */
function asKeptThere(mine: Note): Note {
  const left = withoutQuotes(mine, at)
  return { ...left, redacted: { at, content_hash: contentHash(left), put_hash: contentHash(mine) }, version: 2 }
}

test.each([
  [false, 'nothing is asked of what was put from here, nor kept of what it quotes'],
  [true, 'nor of what is still to be signed, which stays as it was signed'],
])('of a draft that comes back without its quotes, signed here or not (%s), %s', async (isSigned) => {
  const { merge, handlers, records, mine, about, outbox } = vault()
  const signature = { by: 'Kim Osei', credential: null, at, method: 'click' as const, content_hash: contentHash(mine) }
  outbox.remember(merge.parts.pending.of(mine.id, 'put-note')[0]!.id, { sent_hashes: [contentHash(mine)] })
  if (isSigned) records.notes.replace({ ...mine, status: 'signed', signature }, 1)
  if (isSigned) outbox.add({ kind: 'sign-note', ...about, body: { signature } })
  merge.take({ kind: 'note', record: asKeptThere(mine) })
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
  merge.parts.pending.remove(merge.parts.pending.of(mine.id, 'put-note'))
  merge.take({ kind: 'note', record: { ...asKeptThere(mine), version: 3 } })
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
  const quotes = JSON.stringify(records.notes.find(mine.id)).includes(said)
  expect(quotes).toBe(isSigned)
})
