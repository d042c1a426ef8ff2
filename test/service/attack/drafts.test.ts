import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { analysisBodySchema } from '#contract/model/analysis.ts'
import type { Note, NoteBody, Omission } from '#contract/model/note.ts'
import { noteDraftSchema } from '#contract/model/note.ts'
import { builtInTemplates } from '#contract/model/template.ts'
import type { SpeakerRole } from '#contract/model/transcript.ts'
import { analyse } from '#engines/analysis/analyse.ts'
import type { LanguagePort } from '#engines/language/port.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import { writeAnalysis, writeDataDraft, writeDraft } from '#engines/texts/text-work.ts'
import type { DraftWork } from '#engines/texts/text-work.ts'
import { scripted } from '#test/engines/language/writer/scripted-model.ts'
import { anId, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { embeddedCaller } from '#service/kernel/caller.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { insertNote } from '#service/store/notes.ts'
import { openStore } from '#service/store/open-store.ts'
import { newRecord } from '#service/store/records.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const runs = (small: number) => ({ numRuns: isFull ? small * 100 : small, seed: isFull ? Date.now() % 2 ** 31 : 20_261_122 })

let kit: ServiceKit
beforeAll(async () => {
  kit = await openKit()
})
afterAll(() => kit.close())

const never = new AbortController().signal

/** What is listed as left out, quoted, counted, named, or taken for a plan. */
const telling = fc.constantFrom(
  'I want to kill myself and I have thought about how',
  'I take fifty milligrams of sertraline every morning',
  'I have been drinking a bottle of wine every night',
  'I want to stop avoiding my mother',
  'I will do the breathing exercise every evening',
  'it is a seven out of ten',
  'my sister Marguerite said that she hates me',
  'no, never, not once',
  '"I am done," I told her',
  '😀 \u{10FFFF} ü ﷽ \u202E',
)
/** A sentence without an end, up to what one segment holds. */
const endless = fc
  .tuple(telling, fc.constantFrom(' and ', ', ', ' 😀', '😀', ' ', '. '), fc.integer({ min: 1, max: 150 }), fc.nat(3))
  .map(([said, joint, times, shift]) =>
    (' '.repeat(shift) + Array.from({ length: times }, () => said).join(joint)).slice(0, 20_000),
  )
const line = fc.oneof({ weight: 3, arbitrary: endless }, { weight: 2, arbitrary: telling }, fc.string({ maxLength: 300 }))
const roles = fc.constantFrom<SpeakerRole[]>('therapist', 'client', 'other', 'unknown')
const long = 'x'.repeat(200)

const transcripts = fc.record({
  template: fc.constantFrom(...builtInTemplates),
  label: fc.constantFrom('Ana', long, '', '😀'.repeat(100)),
  speakers: fc.array(roles, { minLength: 1, maxLength: 4 }),
  lines: fc.array(fc.tuple(fc.nat(3), line), { minLength: 1, maxLength: 12 }),
})

const sessionOf = {
  id: anId(),
  session_type: 'individual',
  modality: 'video',
  starts_at: '2026-03-02T09:00:00Z',
  duration_minutes: 50,
  time_zone: 'UTC',
} as const
type Told = typeof transcripts extends fc.Arbitrary<infer Value> ? Value : never

function workOf({ template, label, speakers, lines }: Told): DraftWork {
  const body = {
    speakers: speakers.map((role, index) => ({ id: `p${index}`, label: `${label}${index}`.slice(0, 200), role })),
    segments: lines.map(([who, text], index) => ({
      id: `s${index}`,
      speaker_id: who < speakers.length ? `p${who}` : null,
      start_ms: index * 1000,
      end_ms: index * 1000 + 900,
      text: text.toWellFormed(),
      confidence: null,
      edited: false,
    })),
  }
  const client = { id: anId(), display_name: label || 'Ana', given_name: label || null, pronouns: 'she/her' }
  return {
    kind: 'draft',
    said: { kind: 'transcript', body: JSON.stringify(body) },
    template,
    own: null,
    session: sessionOf,
    client,
  }
}

const unlessNoDraft = (error: unknown): null => {
  if (['nothing-said', 'engine-unusable'].includes(String((error as { code?: unknown }).code))) return null
  throw error
}

const draftBy = (writer: LanguagePort, told: Told): Promise<NoteBody | null> =>
  writeDraft(workOf(told), writer, never, () => {}).catch(unlessNoDraft)

/** Where it does not fit, and what JSON cannot carry: half of a character. */
function unfit(body: NoteBody): unknown[] {
  const halves: string[] = []
  JSON.stringify(body, (name, value: unknown) => {
    if (typeof value === 'string' && !value.isWellFormed()) halves.push(`half of a character in ${name}`)
    return value
  })
  const { error } = noteDraftSchema.safeParse(body)
  return [...(error?.issues.map(({ path, code }) => `${code} ${path.join('/')}`) ?? []), ...halves]
}

/** As the laptop saves it again after a change. */
async function putTwice(body: NoteBody): Promise<void> {
  const path = `/v1/notes/${anId()}`
  const put = (note: unknown, headers = {}) =>
    kit.fetch('PUT', path, { ...(note as object), session_id: null, client_id: null }, headers)
  const first = await put(body)
  expect([first.status, first.status === 201 ? [] : await first.clone().json()]).toEqual([201, []])
  const read = (await (await kit.fetch('GET', path)).json()) as { sections: unknown; omissions: unknown; version: number }
  const again = await put(read, { 'If-Match': `"${read.version}"` })
  expect(again.status).toBe(200)
  const { sections, omissions } = (await again.json()) as typeof read
  expect({ sections, omissions }).toEqual({ sections: read.sections, omissions: read.omissions })
}

test('every draft by the rules fits the contract, whatever was said, and is stored again as it is', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(transcripts, async (told) => {
      const body = await draftBy(rulesLanguage(), told)
      if (body === null) return
      expect(unfit(body)).toEqual([])
      count += 1
      if (count % 5 === 0) await putTwice(body)
    }),
    runs(30),
  )
  expect(count).toBeGreaterThan(10)
})

test('a stored draft with longer texts than a note takes is cut as it is read, and can be saved again', async () => {
  const body = (await draftBy(rulesLanguage(), {
    template: 'soap',
    label: 'Ana',
    speakers: ['therapist', 'client'],
    lines: [[1, 'I slept badly.']],
  }))!
  const evidence = [{ segment_id: 's0', start_ms: null, end_ms: null, quote: null, quote_sha256: null }]
  const omission: Omission = { id: 'om', kind: 'risk', text: `${'x'.repeat(3999)}😀 and more`, evidence, decision: 'open' }
  const stored: Note = {
    ...body,
    session_id: null,
    client_id: null,
    omissions: [omission],
    ...newRecord(anId(), '2026-01-01T00:00:00.000Z'),
    status: 'draft',
    signature: null,
    addenda: [],
  }
  const [practice] = await kit.ask<{ id: string }>('select id from practices')
  const db = await openStore(kit.store)
  await inPractice(db, practice!.id, (into) => insertNote(into, practice!.id, stored, embeddedCaller.person_id))
  await db.destroy()
  const read = await kit.fetch('GET', `/v1/notes/${stored.id}`)
  const note = (await read.json()) as Note
  expect([read.status, note.omissions[0]?.text]).toEqual([200, 'x'.repeat(3999)])
  expect((await kit.fetch('PUT', `/v1/notes/${stored.id}`, note, { 'If-Match': '"1"' })).status).toBe(200)
})

const quote = fc.oneof(telling, endless, fc.string({ maxLength: 60 }))
const answers = fc.array(
  fc.record({
    key: fc.constantFrom('subjective', 'objective', 'assessment', 'plan'),
    statements: fc.array(
      fc.record({
        text: fc.oneof(endless, quote),
        finding: fc.constantFrom('stated', 'denied', 'none'),
        evidence: fc.array(fc.record({ segment: fc.integer({ min: 0, max: 13 }), quote }), { maxLength: 60 }),
      }),
      { maxLength: 8 },
    ),
  }),
  { maxLength: 6 },
)

test('every draft by a model fits the contract, whatever it answers, and is stored again as it is', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(transcripts, answers, async (told, sections) => {
      const body = await draftBy(scripted([JSON.stringify({ sections })], 200_000).port, { ...told, template: 'soap' })
      if (body === null) return
      expect(unfit(body)).toEqual([])
      count += 1
      if (count % 5 === 0) await putTwice(body)
    }),
    runs(20),
  )
  expect(count).toBeGreaterThan(5)
})

const paragraph = fc.oneof(
  endless.map((text) => text.slice(0, 4000)),
  fc.constantFrom('a'.repeat(4000), `${'a'.repeat(3970)}${'😀'.repeat(15)}`),
  telling,
)

test('every draft from typed fields fits the contract, and is stored again as it is', async () => {
  const fields = fc.record({
    template: fc.constantFrom(...builtInTemplates),
    session_type: fc.oneof(telling, fc.constant(long)),
    duration_minutes: fc.integer({ min: 1, max: 1440 }),
    presenting_concerns: fc.array(paragraph, { minLength: 1, maxLength: 4 }),
    interventions: fc.array(paragraph, { minLength: 1, maxLength: 4 }),
    client_response: paragraph,
  })
  let count = 0
  await fc.assert(
    fc.asyncProperty(fields, async (given) => {
      const body = await writeDataDraft(
        { kind: 'draft-from-data', own: null, session: null, client: null, ...given },
        rulesLanguage(),
      )
      expect(unfit(body)).toEqual([])
      count += 1
      if (count % 5 === 0) await putTwice(body)
    }),
    runs(16),
  )
})

test('every analysis fits the contract, whatever was said', async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, async (told) => {
      const { said, client: _client, template: _template, own: _own, session: _session } = workOf(told)
      const body = await writeAnalysis(
        { kind: 'analyze', said, previous: null, session: null, client: null, focus: [], goals: ['sleep', long] },
        { analyse },
        never,
      ).catch(unlessNoDraft)
      if (body !== null)
        expect(analysisBodySchema.safeParse(body).error?.issues.map(({ path, code }) => [path.join('/'), code])).toBeUndefined()
    }),
    runs(15),
  )
})
