import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NoteBody } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import { noteBodySchema } from '#contract/model/note.ts'
import type { DraftRequest } from '#engines/language/port.ts'
import { drugIn } from '#engines/language/rules/lexicon/topics.ts'
import { numbersIn } from '#engines/language/text/numbers.ts'
import { dialoguesIn, requestOf } from './support/dialogue.ts'
import { drafted, statementsOf } from './support/session.ts'

const here = import.meta.dirname
const sources = [...dialoguesIn(path.join(here, 'dialogues')), ...dialoguesIn(path.join(here, '../../fixtures/therapy'))]
const templates: readonly Template[] = ['soap', 'dap', 'birp', 'girp', 'intake']

/** Real dialogues, cut, shuffled, stripped of stops and mixed with each other. */
const transcripts = fc
  .record({
    first: fc.nat(sources.length - 1),
    second: fc.nat(sources.length - 1),
    from: fc.double({ min: 0, max: 0.7, noNaN: true }),
    share: fc.double({ min: 0.1, max: 1, noNaN: true }),
    isBare: fc.boolean(),
    isMixed: fc.boolean(),
    order: fc.array(fc.nat(1000), { minLength: 0, maxLength: 20 }),
    template: fc.constantFrom(...templates),
  })
  .map((plan): DraftRequest => {
    const base = sources[plan.first] ?? sources[0]
    const other = sources[plan.second] ?? sources[0]
    if (!base || !other) throw new Error('no dialogues')
    const request = requestOf(base, plan.template)
    const [therapist, client] = base.speakers
    const foreign = plan.isMixed
      ? other.turns.map((turn) => ({
          ...turn,
          speaker_id: turn.speaker_id === other.speakers[0]?.id ? (therapist?.id ?? 'T') : (client?.id ?? 'C'),
        }))
      : []
    const turns = [...base.turns.slice(Math.floor(base.turns.length * plan.from)), ...foreign].slice(
      0,
      Math.max(3, Math.floor((base.turns.length + foreign.length) * plan.share)),
    )
    plan.order.forEach((seed, at) => {
      const one = seed % turns.length
      const two = (seed * 7 + at) % turns.length
      const [left, right] = [turns[one], turns[two]]
      if (left && right) [turns[one], turns[two]] = [right, left]
    })
    const segments = turns.map((turn, index) => ({
      id: `segment-${index}`,
      speaker_id: turn.speaker_id,
      start_ms: index * 5000,
      end_ms: index * 5000 + 4000,
      text: plan.isBare ? turn.text.toLowerCase().replace(/[.,?!]/g, '') : turn.text,
      confidence: null,
      edited: false,
    }))
    return { ...request, segments }
  })

async function draftOrNull(request: DraftRequest): Promise<NoteBody | null> {
  return drafted(request).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'nothing-said') return null
    throw error
  })
}

const runs = { numRuns: 60, seed: 20261121 }

test('every quotation stands word for word in the segment it names, and every statement stands on its evidence', async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, async (request) => {
      const note = await draftOrNull(request)
      if (note === null) return
      noteBodySchema.parse(note)
      const texts = new Map(request.segments.map((segment) => [segment.id, segment.text]))
      const evidence = [
        ...statementsOf(note).flatMap((statement) => statement.evidence),
        ...note.omissions.flatMap((omission) => omission.evidence),
      ]
      for (const each of evidence) expect(texts.get(each.segment_id)).toContain(each.quote)
      for (const statement of statementsOf(note)) {
        const sources = statement.evidence.map((each) => texts.get(each.segment_id) ?? '').join(' ')
        for (const match of statement.text.matchAll(/"([^"]+)"/g)) expect(sources).toContain(match[1])
        if (statement.evidence.length === 0) continue
        const said = numbersIn(sources)
        for (const number of numbersIn(statement.text.replace(/\(\d+ [A-Z][a-z]+\)/g, ''))) expect(said).toContain(number)
        const drug = drugIn(statement.text)
        if (drug !== null) expect(sources.toLowerCase()).toContain(drug.toLowerCase())
        if (/\b(?:not|never|no)\b/i.test(statement.text.replace(/"[^"]*"/g, '')) && !/did not answer/.test(statement.text))
          expect(sources).toMatch(/\b(?:not|never|no|nobody|none|nothing|without|cannot)\b|n't\b/i)
      }
    }),
    runs,
  )
})

test('a credited person is one who speaks in the evidence', async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, async (request) => {
      const note = await draftOrNull(request)
      if (note === null) return
      const names = new Map(request.speakers.map((speaker) => [speaker.label.split(' ')[0] ?? '', speaker.id]))
      const owner = new Map(request.segments.map((segment) => [segment.id, segment.speaker_id]))
      for (const statement of statementsOf(note)) {
        const credited = /^(?:[\w' -]{1,30}: )?(\w+) (?:said|answered|confirmed|denies|rated)\b/.exec(statement.text)?.[1]
        const id = credited === undefined ? undefined : names.get(credited)
        if (id !== undefined) expect(statement.evidence.map((each) => owner.get(each.segment_id))).toContain(id)
      }
    }),
    runs,
  )
})

test('no finding is there that was neither stated nor denied, and no section is empty', async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, async (request) => {
      const note = await draftOrNull(request)
      if (note === null) return
      for (const section of note.sections) expect(section.statements.length).toBeGreaterThan(0)
      for (const statement of statementsOf(note)) {
        if (statement.finding === null) continue
        if (statement.finding.state === 'not_assessed') expect(statement.text).toMatch(/not assessed/i)
        else expect(statement.evidence.length).toBeGreaterThan(statement.finding.state === 'denied' ? 1 : 0)
      }
    }),
    runs,
  )
})

test('the same request gives the same bytes, whatever the order of its keys', async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, async (request) => {
      const first = JSON.stringify(await draftOrNull(request))
      const turned = {
        ...Object.fromEntries(Object.entries(request).toReversed()),
        segments: request.segments.map((segment) => Object.fromEntries(Object.entries(segment).toReversed())),
      } as unknown as DraftRequest
      expect(JSON.stringify(await draftOrNull(turned))).toBe(first)
      expect(JSON.stringify(await draftOrNull(request))).toBe(first)
    }),
    { ...runs, numRuns: 25 },
  )
})
