import type { Note, Omission, Statement } from '#contract/model/note.ts'

/**
 * What the therapist still has to look at before the app lets them sign: Today's "2 to check", the sign bar and the core's
 * refusal all count with this. The published service asks for a part of it, `unconfirmedSafety`.
 */
export type Review =
  | { readonly kind: 'safety' | 'source' | 'doubt'; readonly section_key: string; readonly id: string }
  | { readonly kind: 'omission'; readonly id: string }

export interface ToCheck {
  /** Safety statements nobody has confirmed. */
  readonly safety: number
  /** Statements nothing in the session bears out. */
  readonly source: number
  /** Statements the check of the draft was not sure of. */
  readonly doubt: number
  /** Said in the session, not written, not decided. */
  readonly omission: number
  readonly total: number
}

type Reviewed = Pick<Note, 'sections' | 'omissions'>

/** Why a statement needs a look, or null. A statement counts once; a missing source comes before a doubt, a doubt before its safety. */
export function statementNeeds(statement: Statement): 'safety' | 'source' | 'doubt' | null {
  if (statement.confirmed_at !== null) return null
  if (lacksSource(statement)) return 'source'
  if (isDoubted(statement)) return 'doubt'
  return statement.safety ? 'safety' : null
}

export function omissionNeeds(omission: Omission): boolean {
  return omission.decision === 'open'
}

/** Where the safety statements stand that nobody has confirmed: a service signs no note with one. */
export function unconfirmedSafety({ sections }: Pick<Note, 'sections'>): { section: number; statement: number }[] {
  return sections.flatMap(({ statements }, section) =>
    statements.flatMap(({ safety, confirmed_at }, statement) =>
      safety && confirmed_at === null ? [{ section, statement }] : [],
    ),
  )
}

/** In the order of the page: statements section by section, then what was said and not written. */
export function reviews(note: Reviewed): Review[] {
  const statements = note.sections.flatMap((section) =>
    section.statements.flatMap((statement): Review[] => {
      const kind = statementNeeds(statement)
      return kind === null ? [] : [{ kind, section_key: section.key, id: statement.id }]
    }),
  )
  const omissions = note.omissions.filter(omissionNeeds).map((omission): Review => ({ kind: 'omission', id: omission.id }))
  return [...statements, ...omissions]
}

export function toCheck(note: Reviewed): ToCheck {
  const all = reviews(note)
  const count = (kind: Review['kind']): number => all.filter((review) => review.kind === kind).length
  return {
    safety: count('safety'),
    source: count('source'),
    doubt: count('doubt'),
    omission: count('omission'),
    total: all.length,
  }
}

/** A line that states the absence of a source: a finding not assessed, or the rules' mark of a section nobody spoke about. */
export function isAbsence(statement: Statement): boolean {
  if (statement.evidence.length > 0) return false
  if (statement.finding?.state === 'not_assessed') return true
  return statement.origin === 'rules' && (statement.support === 'stated' || /\bnot (?:stated|assessed)\b/i.test(statement.text))
}

/** What the therapist worded anew is theirs: a doubt about the engine's words no longer holds. */
function isDoubted({ doubt, support }: Statement): boolean {
  return doubt !== null && doubt !== undefined && support !== 'clinician_entered'
}

/** The therapist's own words need no source, nor does the absence of one. */
function lacksSource(statement: Statement): boolean {
  return statement.evidence.length === 0 && statement.support !== 'clinician_entered' && !isAbsence(statement)
}
