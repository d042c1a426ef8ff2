import type { Client } from '#contract/model/client.ts'
import type { Note, NoteBody, NoteCheck, NoteSection, Omission, Statement } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'

/** A statement or omission to review before a note is signed in the app. The service checks only `unconfirmedSafety`. */
export type Review =
  | { readonly kind: 'safety' | 'source' | 'doubt' | 'carried'; readonly section_key: string; readonly id: string }
  | { readonly kind: 'omission'; readonly id: string }

export type ToCheck = Readonly<Record<Review['kind'] | 'total', number>>

type Reviewed = Pick<Note, 'sections' | 'omissions'>

/** True for a statement copied from an earlier note. Changed, it becomes the clinician's own words. */
export const isCarried = ({ origin, support, evidence }: Statement): boolean =>
  origin === 'person' && support === 'paraphrase' && evidence.length === 0

export function statementNeeds(statement: Statement): 'safety' | 'source' | 'doubt' | 'carried' | null {
  if (statement.confirmed_at !== null) return null
  if (isCarried(statement)) return 'carried'
  if (lacksSource(statement)) return 'source'
  if (isDoubted(statement)) return 'doubt'
  return statement.safety ? 'safety' : null
}

export const omissionNeeds = (omission: Omission): boolean => omission.decision === 'open'

export function unconfirmedSafety({ sections }: Pick<Note, 'sections'>): { section: number; statement: number }[] {
  return sections.flatMap(({ statements }, section) =>
    statements.flatMap(({ safety, confirmed_at }, statement) =>
      safety && confirmed_at === null ? [{ section, statement }] : [],
    ),
  )
}

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
    carried: count('carried'),
    omission: count('omission'),
    total: all.length,
  }
}

/**
 * A statement without evidence: a finding that was not assessed, or a placeholder that the rule-based engine wrote into an
 * empty section.
 */
export function isAbsence(statement: Statement): boolean {
  if (statement.evidence.length > 0) return false
  if (statement.finding?.state === 'not_assessed') return true
  return statement.origin === 'rules' && (statement.support === 'stated' || /\bnot (?:stated|assessed)\b/i.test(statement.text))
}

/** Placeholder of a section without statements. It is neither a finding nor something that was said or written. */
export const isPlaceholder = ({ text, origin, evidence }: Statement): boolean =>
  origin !== 'person' &&
  evidence.length === 0 &&
  /^(?:not (?:stated|assessed)(?: in session)?|left to the clinician)\.?$/i.test(text)

export function withoutPlaceholders(section: NoteSection): NoteSection {
  const statements = section.statements.filter((statement) => !isPlaceholder(statement))
  return statements.length === 0 || statements.length === section.statements.length ? section : { ...section, statements }
}

/** What a note says about the time after the session. */
export const planOf = ({ sections }: Pick<Note, 'sections'>): Statement[] =>
  sections.flatMap(({ key, title, statements }) =>
    statements
      .filter((statement) => !isPlaceholder(statement) && !isAbsence(statement))
      .filter(({ text }) => ofPlan.test(`${key} ${title}`) || /^(?:plan:|next appointment\b)/i.test(text)),
  )
const ofPlan =
  /(?:\b|_)(?:p|plans?|planning|recommendations?|next|agreed|agreements?|homework|aftercare|referrals?|schedule|tasks?|safety plan)(?:\b|_)/i

function isDoubted({ doubt, support }: Statement): boolean {
  return doubt !== null && doubt !== undefined && support !== 'clinician_entered'
}

function lacksSource(statement: Statement): boolean {
  return statement.evidence.length === 0 && statement.support !== 'clinician_entered' && !isAbsence(statement)
}

export interface PayerFacts {
  readonly note: NoteBody
  readonly session: Session
  readonly client: Pick<Client, 'diagnoses' | 'display_name'>
  readonly therapist_credential: string | null
  readonly earlier: readonly { readonly note: NoteBody; readonly day: string }[]
}

export function payerChecks(facts: PayerFacts): NoteCheck[] {
  const all = [minutesAgainstCode(facts), ...missingElements(facts), clones(facts), ...contradictions(facts.note)]
  return all.filter((check) => check !== null)
}

export function actualMinutes({ started_at, finished_at }: Pick<Session, 'started_at' | 'finished_at'>): number | null {
  if (started_at === null || finished_at === null) return null
  const minutes = Math.floor((Date.parse(finished_at) - Date.parse(started_at)) / 60_000)
  return minutes >= 0 ? minutes : null
}

const needsYou = (code: string, message: string): NoteCheck => ({ code, severity: 'needs_you', message })
const info = (code: string, message: string): NoteCheck => ({ code, severity: 'info', message })

function minutesAgainstCode({ session }: PayerFacts): NoteCheck | null {
  const minutes = actualMinutes(session)
  if (minutes === null)
    return needsYou('payer-times', 'The real start and stop are not recorded. Payers ask for both, not for the planned length.')
  const lasted = `The session lasted ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  if (minutes < MIN_BILLABLE && session.session_type !== 'group')
    return needsYou('payer-minutes', `${lasted} Under ${MIN_BILLABLE} minutes psychotherapy is not reportable.`)
  const fitting = codesFor(session.session_type, minutes)
  const offered = fitting.map((code) => `${code.code} (${spanOf(code)})`).join(', ')
  const chosen = session.cpt_code?.trim() ?? ''
  if (chosen === '')
    return needsYou('payer-code', `${lasted} No code is chosen.${offered === '' ? '' : ` Its length fits ${offered}.`}`)
  const known = cptCodes.find(({ code }) => code === chosen)
  if (known === undefined) return info('payer-code-unknown', `${lasted} ${chosen} has no minutes to compare them with.`)
  if (known.for_types !== null && !known.for_types.includes(session.session_type))
    return needsYou(
      'payer-code-type',
      `${chosen} is “${known.name}”, and this session is of another kind. Its length fits ${offered || 'no code here'}.`,
    )
  if (minutes < known.from || (known.to !== null && minutes > known.to))
    return needsYou(
      'payer-minutes',
      `${lasted} ${chosen} stands for ${spanOf(known)}. Its length fits ${offered || 'no code here'}.`,
    )
  return null
}

function missingElements({ note, session, client, therapist_credential }: PayerFacts): NoteCheck[] {
  if (note.template === 'treatment_plan' || note.template === 'discharge') return []
  const said = note.sections.flatMap(({ key, statements }) =>
    statements.filter((statement) => !isAbsence(statement)).map(({ text }) => ({ key, text })),
  )
  const has = (keys: RegExp, words: RegExp): boolean => said.some(({ key, text }) => keys.test(key) || words.test(text))
  const isIntake = note.template === 'intake'
  const isTogether = session.session_type === 'couple' || session.session_type === 'family'
  const lacks: readonly (readonly [isMissing: boolean, check: NoteCheck])[] = [
    [
      client.diagnoses.length === 0,
      needsYou('payer-diagnosis', 'The client’s page names no diagnosis. Payers ask for one as the reason for treatment.'),
    ],
    [
      therapist_credential === null,
      needsYou('payer-credential', 'Your credential is not in Settings, so it will not stand beside your signature.'),
    ],
    [
      !isIntake && !has(/^interventions?$/, /\b(?:therapist|clinician|counsell?or)\b|\bintervention\b/i),
      needsYou('payer-intervention', 'No intervention is named.'),
    ],
    [
      !isIntake && !has(/^(?:response|assessment|evaluation|member_response)$/, /\bresponse\b|\bprogress\b|\bagreed\b/i),
      needsYou('payer-response', 'Nothing says how the client responded, or what progress there is.'),
    ],
    [
      !has(/^(?:plan|recommendations|evaluation)$/, /\bnext (?:appointment|session)\b/i),
      needsYou('payer-plan', 'Nothing is planned in the note: no homework, no next visit.'),
    ],
    [!mentionsRisk(note), info('payer-risk', 'Risk is not mentioned. “Not assessed” is an answer too.')],
    [
      isTogether && session.participants.length < 2,
      needsYou('payer-participants', 'The session names fewer than two people. Payers ask who was in the room.'),
    ],
  ]
  return lacks.filter(([isMissing]) => isMissing).map(([, check]) => check)
}

function mentionsRisk(note: NoteBody): boolean {
  const words = /\brisk\b|\bsuicid|\bself-harm|\bharm\b/i
  return note.sections.some(({ key, statements }) =>
    statements.some(
      ({ text, finding, safety }) => key === 'risk' || safety || words.test(text) || words.test(finding?.topic ?? ''),
    ),
  )
}

const COMPARED = 5
/** Share of a note's five-word sequences that also occur in one earlier note. From this share on, the note counts as copied. */
const CLONED = 0.5

function clones({ note, earlier }: PayerFacts): NoteCheck | null {
  const own = shingles(note)
  if (own.size < 12) return null
  const likeness = earlier.slice(0, COMPARED).map(({ note: other, day }) => {
    const theirs = shingles(other)
    const shared = [...own].filter((shingle) => theirs.has(shingle)).length
    return { day, share: shared / own.size }
  })
  const closest = likeness.toSorted((left, right) => right.share - left.share)[0]
  if (closest === undefined || closest.share < CLONED) return null
  const percent = Math.round(closest.share * 100)
  return needsYou(
    'payer-clone',
    `${percent} % of this note stands word for word in the note of ${closest.day}. Say what was particular to this session.`,
  )
}

function shingles(note: NoteBody): Set<string> {
  const words = note.sections
    .flatMap(({ statements }) => statements.filter((statement) => !isAbsence(statement)))
    .flatMap(({ text }) => text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [])
  return new Set(words.slice(4).map((_word, index) => words.slice(index, index + 5).join(' ')))
}

function contradictions(note: NoteBody): NoteCheck[] {
  const states = new Map<string, Set<string>>()
  for (const { finding } of statementsOf(note)) {
    if (finding === null || finding.state === 'not_assessed') continue
    states.set(finding.topic, (states.get(finding.topic) ?? new Set()).add(finding.state))
  }
  return [...states]
    .filter(([, both]) => both.size > 1)
    .map(([topic]) => needsYou('payer-contradiction', `The note says of “${topic}” that it was stated, and that it was denied.`))
}

const statementsOf = (note: Pick<Note, 'sections'>): Statement[] => note.sections.flatMap(({ statements }) => statements)

/**
 * `from` and `to`: face-to-face minutes, both included, for which the code can be billed. `to` is null without an upper limit.
 * CPT defines no minutes for 90791 and 90853; Afterword sets their limits.
 */
export interface CptCode {
  readonly code: string
  readonly name: string
  readonly from: number
  readonly to: number | null
  readonly for_types: readonly string[] | null
}

const MIN_BILLABLE = 16

const talk = ['individual', 'crisis', 'consultation']

export const cptCodes: readonly CptCode[] = [
  { code: '90832', name: 'Psychotherapy, 30 minutes', from: 16, to: 37, for_types: talk },
  { code: '90834', name: 'Psychotherapy, 45 minutes', from: 38, to: 52, for_types: talk },
  { code: '90837', name: 'Psychotherapy, 60 minutes', from: 53, to: null, for_types: talk },
  { code: '90839', name: 'Psychotherapy for crisis, first 60 minutes', from: 30, to: null, for_types: ['crisis'] },
  { code: '90846', name: 'Family psychotherapy without the client', from: 26, to: null, for_types: ['couple', 'family'] },
  { code: '90847', name: 'Family psychotherapy with the client', from: 26, to: null, for_types: ['couple', 'family'] },
  { code: '90853', name: 'Group psychotherapy', from: 1, to: null, for_types: ['group'] },
  { code: '90791', name: 'Diagnostic evaluation', from: MIN_BILLABLE, to: null, for_types: ['intake', 'individual'] },
]

function codesFor(sessionType: string, minutes: number): CptCode[] {
  return cptCodes.filter(
    ({ from, to, for_types }) => minutes >= from && (to === null || minutes <= to) && (for_types?.includes(sessionType) ?? true),
  )
}

export const spanOf = ({ from, to }: CptCode): string => (to === null ? `${from} minutes or more` : `${from} to ${to} minutes`)

export function ownStatement(id: string, text: string): Statement {
  return {
    id,
    text: text.trim(),
    evidence: [],
    support: 'clinician_entered',
    origin: 'person',
    finding: null,
    safety: false,
    confirmed_at: null,
  }
}

export function reworded(statement: Statement, text: string): Statement {
  if (statement.text === text.trim()) return statement
  return {
    ...statement,
    text: text.trim(),
    support: 'clinician_entered',
    origin: 'person',
    finding: statement.finding?.state === 'not_assessed' ? null : statement.finding,
    confirmed_at: null,
  }
}
