import type { Note, Statement } from '#contract/model/note.ts'
import { dialogue } from '../core-kit.ts'
import { textOf as textOfValue } from './ledger.ts'
import { sessionsOf } from './do-records.ts'
import { textOf, wordsOf } from './records.ts'
import { type Act, oneOf } from './world.ts'

const speakers = [{ id: 'A', label: 'Therapist', role: 'therapist' as const }]

export const documentDoings = {
  async 'transcript.type'(act: Act): Promise<void> {
    await saveWords(act, ({ tag }) => [`first ${tag}`, `second ${tag}`, `third ${tag}`])
  },
  async 'transcript.edit'(act: Act): Promise<void> {
    await saveWords(act, ({ tag, what }, before) =>
      before.map((text, index) => (index === what % before.length ? `said ${tag}` : text)),
    )
  },
  async 'transcript.import'(act: Act): Promise<void> {
    const session_id = await sessionFor(act)
    if (session_id === null) return
    const { transcript } = await act.read('transcripts.get', { session_id })
    const text = `${dialogue}\nClient: That is all ${act.step.tag}.`
    const words = text.split('\n').map((line) => line.replace(/^\w+: /, ''))
    const promised = [act.edit(`session ${session_id} words`, wordsOf(transcript), words)]
    const content = new TextEncoder().encode(text)
    await act.ask('transcripts.import', { session_id, file_name: 'a.txt', content }, promised)
  },
  async draft(act: Act): Promise<void> {
    const session_id = await sessionFor(act)
    if (session_id === null || !isOwn(act, { session_id })) return
    const { note } = await act.read('notes.get', { session_id })
    if (note !== null) return
    const own = (await act.read('templates.list', {})).map(({ id }) => `own:${id}` as const)
    const before = act.ledger.drafts.get(session_id) ?? 0
    act.ledger.drafts.set(session_id, before + 1)
    await act.ask('notes.draft', { session_id, template: oneOf(['soap', 'dap', ...own.toSorted()], act.step.what)! })
  },
  async 'note.edit'(act: Act): Promise<void> {
    const note = await noteFor(act)
    if (note === null || note.signature !== null) return
    const { what, tag } = act.step
    const sections = note.sections.map((section, index) => ({
      ...section,
      statements: index === what % note.sections.length ? [ownWords(`written ${tag}`)] : section.statements.map(confirmed),
    }))
    const omissions = note.omissions.map((omission) => ({ ...omission, decision: 'left_out' as const }))
    const promised = [act.edit(`session ${note.session_id} note`, textOf(note), textOf({ ...note, sections }))]
    await act.ask('notes.save', { id: note.id, version: note.version, sections, omissions }, promised)
  },
  async sign(act: Act): Promise<void> {
    const note = await noteFor(act)
    if (note === null || note.signature !== null || !isOwn(act, note)) return
    const signed = await act.ask('notes.sign', { id: note.id, version: note.version })
    if (signed !== null) act.ledger.signed.set(note.id, signed.signature!.content_hash)
  },
  async addendum(act: Act): Promise<void> {
    const note = await noteFor(act)
    if (note === null || note.signature === null || !isOwn(act, note)) return
    const text = `added ${act.step.tag}`
    const amended = await act.ask('notes.addAddendum', { id: note.id, text, reason: 'later' })
    if (amended !== null) act.ledger.addenda.set(text, note.id)
  },
}

/** Nobody writes and signs for a colleague. */
function isOwn({ ledger, laptop }: Act, { session_id }: Pick<Note, 'session_id'>): boolean {
  const [person] = laptop.name.split('-')
  return ledger.madeOn.get(session_id ?? '')?.split('-')[0] === person
}

async function sessionFor(act: Act): Promise<string | null> {
  return oneOf(await sessionsOf(act), act.step.which)?.id ?? null
}

async function noteFor(act: Act): Promise<Note | null> {
  const written = []
  for (const { id } of await sessionsOf(act)) {
    const { note } = await act.read('notes.get', { session_id: id })
    if (note !== null) written.push(note)
  }
  return oneOf(written, act.step.which)
}

async function saveWords(act: Act, change: (step: Act['step'], before: readonly string[]) => readonly string[]): Promise<void> {
  const session_id = await sessionFor(act)
  if (session_id === null) return
  const { transcript } = await act.read('transcripts.get', { session_id })
  if (act.step.do === 'transcript.edit' && transcript === null) return
  const words = change(act.step, wordsOf(transcript) ?? [])
  const segments = words.map((text, index) => {
    const blank = { id: `s${index}`, speaker_id: 'A', start_ms: null, end_ms: null, confidence: null }
    return { ...(act.step.do === 'transcript.edit' ? transcript!.segments[index]! : blank), text }
  })
  const kept = act.step.do === 'transcript.edit' ? transcript!.speakers : speakers
  const promised = [act.edit(`session ${session_id} words`, wordsOf(transcript), words)]
  const after = act.ask(
    'transcripts.save',
    { session_id, version: transcript?.version ?? null, speakers: kept, segments },
    promised,
  )
  if ((await after) === null || transcript === null) return
  // Of what was kept though it was erased nobody else hears.
  const { ledger, laptop } = act
  const key = `${laptop.name} transcript ${transcript.id}`
  if (!ledger.kept.has(key)) return
  ledger.gone(`session ${session_id} words`, words)
  ledger.kept.set(key, { field: `session ${session_id} words`, value: textOfValue(words), texts: [...words] })
}

function ownWords(text: string): Statement {
  return {
    id: text.replace(' ', '-'),
    text,
    evidence: [],
    support: 'clinician_entered',
    origin: 'person',
    finding: null,
    safety: false,
    confirmed_at: '2026-01-01T00:00:00.000Z',
  }
}

const confirmed = (statement: Statement): Statement => ({
  ...statement,
  support: 'clinician_entered',
  confirmed_at: statement.confirmed_at ?? '2026-01-01T00:00:00.000Z',
})
