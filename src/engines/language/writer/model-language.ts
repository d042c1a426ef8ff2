import { AppError } from '#contract/errors.ts'
import type { NoteBody, NoteCheck, NoteSection, Statement } from '#contract/model/note.ts'
import type { DraftRequest, LanguagePort, TextModel } from '../port.ts'
import { rulesLanguage } from '../rules/engine.ts'
import { emptyLine, marksOf } from '../rules/statements.ts'
import prompts from './prompts.json' with { type: 'json' }
import { noticesOf } from '../notices.ts'
import { peopleOf } from '../rules/people.ts'
import { sift, type Candidate } from './candidates.ts'
import { sourceOf, type Source, labelsOf } from './source.ts'
import { ask, orderFormOf, fenced, promptOf, noteForm, readSession, type FormSection, type NoteForm } from './ask.ts'
import { budgetOf, tokensOf, coverageChecks } from './passes.ts'
import { notAssessedLine } from '../rules/omissions.ts'

const READING_SHARE = 0.9

/** The model proposes statements with quotes, and each statement is checked against the session. */
export const modelLanguage = (model: TextModel): LanguagePort => ({
  engine: model.engine,
  draft: (request, signal, onProgress) => draft(model, request, signal, onProgress ?? (() => {})),
  draftFromData: rulesLanguage().draftFromData,
})

async function draft(
  model: TextModel,
  request: DraftRequest,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<NoteBody> {
  signal.throwIfAborted()
  const source = sourceOf(request)
  if (source.room.turns.every(({ person }) => person.role === 'therapist')) throw new AppError('nothing-said')
  const form = noteForm(request, source.room.people)
  const sections = form.sections.filter((section) => !section.is_clinicians)
  let shown = 0
  const onShare = (share: number): void => {
    if (share <= shown) return
    shown = share
    onProgress(share * READING_SHARE)
  }
  const reading = await readSession(source, sections, request.own?.style.length ?? 'usual', { model, signal, onShare })
  const names = namesOf(request)
  const sifted = reading.drafts.map((each) => sift(each, source, names))
  const found = withoutRepeats(sifted.flatMap(({ candidates }) => candidates)).toSorted((left, right) => left.at - right.at)
  const isInParts = reading.read.length > 1 && found.length > 1
  const arranged = isInParts ? await arrange(found, sections, model, signal) : found
  const checks: NoteCheck[] = [
    ...coverageChecks(reading, source.member === null ? 'the session' : 'what the leaders and this client said'),
    ...remarksOn(request, source.speaks_to_writer),
    ...(source.member?.checks ?? []),
    ...noticesOf([
      ['nothing-written', found.length === 0],
      ['not-arranged', arranged === null],
    ]),
  ]
  onProgress(1)
  return {
    session_id: request.session?.id ?? null,
    client_id: request.client?.id ?? null,
    template: request.template,
    sections: assemble(request, form, source, arranged ?? found),
    unsupported: sifted.flatMap(({ unsupported }) => unsupported).slice(0, 500),
    omissions: [],
    checks,
    engine: model.engine,
  }
}

function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ statement }) => {
    const words = statement.text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
    return !seen.has(words) && seen.add(words)
  })
}

function remarksOn({ speakers }: DraftRequest, speaksToWriter: boolean): NoteCheck[] {
  const isKnown = ['therapist', 'client'].every((role) => speakers.some((speaker) => speaker.role === role))
  return noticesOf([
    ['speakers-unclear', !isKnown],
    ['words-to-the-writer', speaksToWriter],
  ])
}

function namesOf({ speakers, client, own }: DraftRequest): ReadonlyMap<string, string> {
  const labels = labelsOf(speakers)
  const people = peopleOf(speakers, client, own?.style.client_as)
  return new Map(
    people.flatMap(({ id, name }) => {
      const label = labels.get(id) ?? ''
      return /\d$/.test(label) && /^\p{Lu}/u.test(name) ? [[label, name] as const] : []
    }),
  )
}

const MAX_KEPT = 40

/** The model may only reorder candidates, move them to other sections, or drop them. Safety statements are never dropped. */
async function arrange(
  candidates: readonly Candidate[],
  sections: readonly FormSection[],
  model: TextModel,
  signal: AbortSignal,
): Promise<readonly Candidate[] | null> {
  const instructions = promptOf(prompts.order, sections, MAX_KEPT)
  const prompt = fenced(
    'STATEMENTS',
    candidates.map(({ key, statement }, index) => `[${index + 1}] (${key}) ${statement.text}`),
  )
  const budget = budgetOf(model.context_tokens, instructions)
  if (tokensOf(prompt) > budget.read) return null
  const form = orderFormOf(sections.map(({ key }) => key))
  const asked = await ask(model, { instructions, prompt, most_tokens: budget.answer }, form, signal, () => {})
  if (asked.kind !== 'value') return null
  const taken = new Set<number>()
  const ordered = asked.value.sections.flatMap(({ key, statements }) =>
    statements.flatMap((number) => {
      const candidate = candidates[number - 1]
      if (!candidate || taken.has(number)) return []
      taken.add(number)
      return [{ ...candidate, key }]
    }),
  )
  if (ordered.length === 0) return null
  const kept = candidates.filter(({ statement }, index) => statement.safety && !taken.has(index + 1))
  return [...ordered, ...kept]
}

const assemble = (
  request: DraftRequest,
  { sections, carrier, marks }: NoteForm,
  source: Source,
  candidates: readonly Candidate[],
): NoteSection[] =>
  sections.map(({ key, title, empty }) => {
    const own = candidates.filter((candidate) => candidate.key === key).map(({ statement }) => statement)
    const statements = unique([
      ...own,
      ...(key === marks ? [...(source.member?.statements ?? []), ...marksOf(request)] : []),
      ...(key === carrier ? [notAssessed(source, candidates)] : []),
    ])
    return { key, title, statements: statements.length > 0 ? statements : [emptyLine({ key, title, empty })] }
  })

function notAssessed(source: Source, candidates: readonly Candidate[]): Statement {
  const people = new Map(source.room.people.map((person) => [person.id, person]))
  const speakers = new Map(source.segments.map(({ id, speaker_id }) => [id, speaker_id ?? '']))
  const said = candidates.map(({ statement }) => ({
    text: statement.text,
    topic: statement.finding?.topic ?? '',
    person:
      statement.evidence
        .map(({ segment_id }) => people.get(speakers.get(segment_id) ?? ''))
        .find((person) => person !== undefined && person.role !== 'therapist') ?? null,
  }))
  return notAssessedLine(source.room, said)
}

function unique(statements: readonly Statement[]): Statement[] {
  const seen = new Set<string>()
  return statements.filter(({ id }) => !seen.has(id) && seen.add(id))
}
