import { afterEach, expect, test, vi } from 'vitest'
import type { Note, Statement } from '#contract/model/note.ts'
import type { Operation } from '#contract/model/operation.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import type { LanguagePort } from '#engines/language/port.ts'
import { aClient, aSession, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
afterEach(() => kit.close())

const transcript = [
  'Therapist: How are the nights?',
  'Ana: I wake at three and lie there.',
  'Therapist: Any thoughts of harming yourself?',
  'Ana: Not really. Sometimes.',
  'Therapist: What about the sertraline?',
  'Ana: I might go up to a hundred. I take fifty.',
].join('\n')

/** A writer that gets things wrong the way writers do. */
function careless(): LanguagePort {
  const rules = rulesLanguage()
  return {
    ...rules,
    draft: async (request, signal) => {
      const draft = await rules.draft(request, signal)
      const cite = (at: number): Statement['evidence'][number] => {
        const segment = request.segments[at]
        if (!segment) throw new Error(`no turn ${at}`)
        return {
          segment_id: segment.id,
          start_ms: segment.start_ms,
          end_ms: segment.end_ms,
          quote: segment.text,
          quote_sha256: null,
        }
      }
      const wrote = (id: string, text: string, ...turns: number[]): Statement => ({
        id,
        text,
        evidence: turns.map(cite),
        support: 'paraphrase',
        origin: 'model',
        finding: null,
        safety: false,
        confirmed_at: null,
      })
      const statements = [
        wrote('right', 'She wakes at three.', 1),
        wrote('number', 'She wakes at five.', 1),
        wrote('denied', 'Denies thoughts of harming herself.', 2, 3),
        wrote('dose', 'Takes sertraline 50 mg.', 4, 5),
        wrote('assumed', 'Mood euthymic, no safety concerns.', 1),
      ]
      return { ...draft, sections: [{ key: 'subjective', title: 'Subjective', statements }] }
    },
  }
}

test('no draft reaches the record but through the check, whoever wrote it', async () => {
  kit = await openKit({ writer: careless() })
  const client = await aClient(kit.client)
  const session = await aSession(kit.client, client.id)
  const body = { session_id: session.id, client_id: client.id, template: 'soap', transcript } as const
  const { id } = (await kit.client.call('generateNote', { body, preferAsync: true })).data as Operation
  const done = await vi.waitUntil(async () => {
    const operation = (await kit.client.call('getOperation', { params: { id } })).data
    return operation.status === 'succeeded' || operation.status === 'failed' ? operation : null
  })
  expect(done.status).toBe('succeeded')
  const note = (await kit.client.call('getNote', { params: { id: (done.result as Note).id } })).data
  expect(note.sections[0]?.statements.map((statement) => statement.id)).toEqual(['right', 'dose'])
  expect(note.sections[0]?.statements.map(({ safety }) => safety)).toEqual([false, true])
  expect(note.unsupported.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['She wakes at five.', 'Denies thoughts of harming herself.', 'Mood euthymic, no safety concerns.']),
  )
  expect(note.checks.map(({ code }) => code)).toContain('left-out-by-check')
})
