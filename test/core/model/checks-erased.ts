import type { Note } from '#contract/model/note.ts'
import type { Erasure } from '#contract/model/retention.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Laptop } from './laptop.ts'
import { allOf, type Records, recordsAtService, recordsOn, textsOf } from './records.ts'
import type { World } from './world.ts'

/** Erased at the service means one certificate, and gone there; on a laptop it stands where somebody kept it, and nowhere else. */
export async function whatWasErasedStands(world: World): Promise<string[]> {
  const { practice, ledger, laptops } = world
  if (practice.sweep === null) return []
  const problems: string[] = []
  const certificates = await allOf<Erasure>(practice.owner, 'listErasures')
  for (const { record_kind, record_id } of certificates)
    if (record_kind !== 'analysis' && !ledger.erased.has(`${record_kind} ${record_id}`))
      problems.push(`${record_kind} ${record_id} was erased by nobody`)
  const standing = await standingAtService(world)
  for (const key of ledger.erased.keys()) {
    const count = certificates.filter(({ record_kind, record_id }) => key === `${record_kind} ${record_id}`).length
    if (count !== 1) problems.push(`${key} was erased and has ${count} certificates`)
    if (standing.keys.has(key)) problems.push(`${key} was erased and stands at the service`)
  }
  problems.push(...quoted(world, await recordsAtService(practice.owner), standing.sessions, 'the service'))
  for (const laptop of laptops) {
    const records = await recordsOn(laptop)
    const { byId, fields } = records
    problems.push(...quoted(world, records, standing.sessions, laptop.name))
    for (const key of ledger.erased.keys())
      if (byId.has(key) && !ledger.kept.has(`${laptop.name} ${key}`)) problems.push(`${key} was erased and is on ${laptop.name}`)
    for (const [key, { field, value }] of ledger.kept)
      if (key.startsWith(`${laptop.name} `) && !ledger.reaches(field, fields.get(field) ?? [], value))
        problems.push(`${key} was kept by choice and is not there`)
  }
  return problems
}

/** A note that was drafted from words that are erased leads back to them by their fingerprints alone. */
function* quoted({ ledger }: World, { notes }: Records, standing: ReadonlySet<string>, where: string): Generator<string> {
  for (const { id, session_id, sections, omissions } of notes.values()) {
    const erased = [...ledger.erased].filter(([key, { session }]) => key.startsWith('transcript') && session === session_id)
    const isKept = erased.some(([key]) => ledger.kept.has(`${where} ${key}`))
    if (erased.length === 0 || isKept || standing.has(session_id ?? '')) continue
    const parts = [...sections.flatMap(({ statements }) => statements), ...omissions]
    const quote = parts.flatMap(({ evidence }) => evidence).find((one) => one.quote !== null)?.quote
    if (quote !== undefined) yield `note ${id} on ${where} quotes "${quote}", which was erased`
  }
}

/** Of what was erased no word is left on the laptop, once it is closed, but where it stands in something else. */
export async function wordsLeftOn(world: World, laptop: Laptop): Promise<string[]> {
  const { ledger } = world
  const erased = [...ledger.erased].filter(([key]) => !ledger.kept.has(`${laptop.name} ${key}`))
  if (erased.length === 0) return []
  const { texts } = await standingAtService(world)
  const own = new Set([...ledger.kept].flatMap(([key, { texts: kept }]) => (key.startsWith(`${laptop.name} `) ? kept : [])))
  const found = await laptop.texts()
  return erased.flatMap(([key, { texts: words }]) =>
    // Lines of the dialogue that is imported stand in many; what was written for this one has its number.
    words
      .filter((word) => /\d/.test(word) && !texts.has(word) && !own.has(word))
      .flatMap((word) =>
        found
          .filter(({ at, text }) => text === word && !isOfTheNote(key, at))
          .map(({ at }) => `"${word}" of ${key} stands on ${laptop.name} in ${at}`),
      ),
  )
}

/** What a note says stays when the words go that it was written from. */
const isOfTheNote = (key: string, at: string): boolean => key.startsWith('transcript') && at.endsWith('statements.text')

async function standingAtService({ practice }: World): Promise<Record<'keys' | 'sessions' | 'texts', Set<string>>> {
  const transcripts = await allOf<Transcript>(practice.owner, 'listTranscripts')
  const notes = await allOf<Note>(practice.owner, 'listNotes')
  return {
    keys: new Set([...transcripts.map(({ id }) => `transcript ${id}`), ...notes.map(({ id }) => `note ${id}`)]),
    sessions: new Set(transcripts.map(({ session_id }) => session_id ?? '')),
    texts: new Set([...transcripts, ...notes].flatMap(textsOf)),
  }
}
