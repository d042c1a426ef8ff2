import { AppError } from '#contract/errors.ts'
import type { NoteBody, NoteCheck } from '#contract/model/note.ts'
import type { DraftRequest, LanguagePort } from '../port.ts'
import { rulesLanguage } from '../rules/engine.ts'
import { peopleOf } from '../rules/people.ts'
import { arrange } from './arrange.ts'
import { assemble } from './assemble.ts'
import { sift } from './candidates.ts'
import type { Candidate } from './candidates.ts'
import { coverageChecks } from './coverage.ts'
import { noteForm } from './form-sections.ts'
import { labelsOf } from './lines.ts'
import { readSession } from './read-session.ts'
import { sourceOf } from './source.ts'
import type { TextModel } from './text-model.ts'

/** The reading's share of the work where the parts are put in order afterwards. */
const readingShare = 0.9

/**
 * A draft by a language model: the model proposes sentences with the words they rest on; every sentence is then held
 * against those words here, and whatever else stands in the note is worked out from the session itself.
 */
export function modelLanguage(model: TextModel): LanguagePort {
  return {
    engine: model.engine,
    draft: (request, signal, onProgress) => draft(model, request, signal, onProgress ?? (() => {})),
    // Typed fields are copied, not written: no model has a part in that, and the note says so.
    draftFromData: rulesLanguage().draftFromData,
  }
}

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
    onProgress(share * readingShare)
  }
  const reading = await readSession(source, sections, request.own?.style.length ?? 'usual', { model, signal, onShare })
  const names = namesOf(request)
  const sifted = reading.drafts.map((each) => sift(each, source, names))
  const found = withoutRepeats(sifted.flatMap(({ candidates }) => candidates)).toSorted((left, right) => left.at - right.at)
  const isInParts = reading.read.length > 1 && found.length > 1
  const arranged = isInParts ? await arrange(found, sections, model, signal) : { candidates: found, is_arranged: true }
  const checks: NoteCheck[] = [
    ...coverageChecks(reading, source.member === null ? 'the session' : 'what the leaders and this client said'),
    ...remarksOn(request, source.speaks_to_writer),
    ...(source.member?.checks ?? []),
  ]
  if (found.length === 0)
    checks.push({
      code: 'nothing-written',
      severity: 'needs_you',
      message: 'Nothing the model wrote could stand in the note. Write it yourself, or draft again without AI.',
    })
  if (!arranged.is_arranged)
    checks.push({
      code: 'not-arranged',
      severity: 'info',
      message: 'The statements stand in the order of the session: the model did not put them in order.',
    })
  onProgress(1)
  return {
    session_id: request.session?.id ?? null,
    client_id: request.client?.id ?? null,
    template: request.template,
    sections: assemble(request, form, source, arranged.candidates),
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
  const checks: NoteCheck[] = []
  if (!speakers.some(({ role }) => role === 'therapist') || !speakers.some(({ role }) => role === 'client'))
    checks.push({
      code: 'speakers-unknown',
      severity: 'needs_you',
      message: 'Who is speaking? Name the therapist and the client, then draft again: the model may have mixed them up.',
    })
  if (speaksToWriter)
    checks.push({
      code: 'words-to-the-writer',
      severity: 'info',
      message: 'Somebody in the room spoke to whoever writes the note. It was taken as something said, and changed nothing.',
    })
  return checks
}

/** Where several share a role the note calls them by name; the model was shown "Client 1". */
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
