import type { NoteCheck } from '#contract/model/note.ts'
import type { Exchange } from './exchanges.ts'
import { findingTopic } from './questions.ts'
import type { RoleReading } from './roles.ts'
import type { SessionView } from './session.ts'
import type { Fact } from './types.ts'

/** What the therapist should look at before signing, in the order in which it matters. */
export function checksOf(
  view: SessionView,
  reading: RoleReading,
  exchanges: readonly Exchange[],
  chosen: readonly Fact[],
  omitted: number,
): NoteCheck[] {
  const checks: NoteCheck[] = []
  const add = (code: string, severity: NoteCheck['severity'], message: string): void =>
    void checks.push({ code, severity, message })
  if (reading.kind === 'unknown') {
    const likely = reading.likely === null ? '' : ` By the wording, ${reading.likely} sounds like the therapist.`
    add(
      'speakers-unknown',
      'needs_you',
      `Who is speaking? Name the therapist and the client, then draft again: until then the draft only quotes.${likely}`,
    )
  }
  if (reading.kind === 'swapped')
    add(
      'speakers-swapped',
      'needs_you',
      'The speaker named as the client asks most of the questions. Are therapist and client the wrong way round? Until that is settled the draft only quotes.',
    )
  const safety = chosen.filter((fact) => fact.safety).length
  if (safety > 0)
    add(
      'safety-statements',
      'info',
      `${safety === 1 ? 'One statement' : `${safety} statements`} on risk or medication: look at each before signing.`,
    )
  const negative = exchanges.filter(({ question }) => question.isNegative && findingTopic(question.body) !== null)
  if (negative.length > 0)
    add(
      'negative-question',
      'needs_you',
      'A question was put in the negative, so the short answer to it can be read both ways. Look at what was said.',
    )
  if (contradicts(chosen))
    add('findings-differ', 'needs_you', 'The same matter was stated at one moment and denied at another. Both are in the draft.')
  if (view.room.sentences.some((sentence) => sentence.isInstruction))
    add(
      'words-to-the-writer',
      'info',
      'Somebody in the room spoke to whoever writes the note. It was taken as something said, and changed nothing.',
    )
  if (view.stale.size > 0)
    add('corrected-values', 'info', 'A day or number was corrected while speaking. The later one is in the draft.')
  if (omitted > 0)
    add(
      'omissions',
      'info',
      `${omitted === 1 ? 'One thing was' : `${omitted} things were`} said that the draft leaves out. Add what belongs in the note.`,
    )
  return checks
}

function contradicts(chosen: readonly Fact[]): boolean {
  const states = new Map<string, Set<string>>()
  for (const fact of chosen) {
    if (fact.finding === null) continue
    const key = `${fact.finding.topic}:${fact.person?.id ?? ''}`
    states.set(key, (states.get(key) ?? new Set()).add(fact.finding.state))
  }
  return [...states.values()].some((each) => each.has('stated') && each.has('denied'))
}
