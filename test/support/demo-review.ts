import type { Handlers, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import type { Note } from '#contract/model/note.ts'
import { AppError } from '#contract/errors.ts'
import { demoTranscript } from './demo-insights.ts'

const segment = demoTranscript.segments[2]!
const evidence = [{ segment_id: segment.id, start_ms: 735_000, end_ms: 741_000, quote: segment.text, quote_sha256: null }]
const fromTwoTurns = [...evidence, { ...evidence[0]!, segment_id: demoTranscript.segments[3]!.id, start_ms: 760_000 }]
const statement = {
  evidence,
  support: 'paraphrase',
  origin: 'rules',
  finding: null,
  safety: false,
  confirmed_at: null,
} as const

const noteToReview = (session_id: string): Note => ({
  ...demoTranscript,
  session_id,
  client_id: null,
  template: 'soap',
  status: 'draft',
  sections: [
    {
      key: 'subjective',
      title: 'Subjective',
      statements: [
        { ...statement, id: 'plain', text: 'Client reports calling her sister.', evidence: fromTwoTurns },
        { ...statement, id: 'safety', text: 'Client denied thoughts of death.', safety: true },
        { ...statement, id: 'doubt', text: 'Client sleeps eight hours.', doubt: 'the hours differ' },
        { ...statement, id: 'source', text: 'Insomnia is in remission.', evidence: [] },
      ],
    },
  ],
  unsupported: [],
  omissions: ['first', 'second'].map((id) => ({ id, kind: 'homework', text: segment.text, evidence, decision: 'open' })),
  checks: [],
  engine: { name: 'rules', version: '1', model: null },
  signature: null,
  addenda: [],
})

/** A draft with an item of every kind to review, which is kept as it is saved. */
export function demoReview(isOn = false): Partial<Handlers<MethodName>> {
  if (!isOn) return {}
  const notes = new Map<string, Note>()
  const noteOf = (session_id: string): Note => notes.get(session_id) ?? noteToReview(session_id)
  return {
    'notes.get': ({ session_id }): MethodOutput<'notes.get'> => {
      notes.set(session_id, noteOf(session_id))
      return { note: noteOf(session_id), work: { state: 'idle', progress: 0, error: null }, is_outdated: false }
    },
    'notes.save': ({ sections, omissions }) => {
      const [session_id, note] = [...notes].at(-1) ?? []
      if (session_id === undefined || note === undefined) throw new AppError('not-found')
      const saved = { ...note, sections, omissions, version: note.version + 1 }
      notes.set(session_id, saved)
      return saved
    },
  }
}
