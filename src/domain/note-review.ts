import type { Client } from '#contract/model/client.ts'
import type { Note, NoteBody, NoteCheck, NoteSection, Omission, Statement } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import { addOnCodes, cptCodes, fittingCodes, isReportable, MIN_BILLABLE, spanOf } from './billing-codes.ts'

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

const saidIn = ({ statements }: NoteSection): Statement[] =>
  statements.filter((statement) => !isPlaceholder(statement) && !isAbsence(statement))

/** What a note says about the time after the session. */
export const planOf = ({ sections }: Pick<Note, 'sections'>): Statement[] =>
  sections.flatMap((section) =>
    saidIn(section).filter(
      ({ text }) => ofPlan.test(`${section.key} ${section.title}`) || /^(?:plan:|next appointment\b)/i.test(text),
    ),
  )
const ofPlan =
  /(?:\b|_)(?:p|plans?|planning|recommendations?|next|agreed|agreements?|homework|aftercare|referrals?|schedule|tasks?|safety plan)(?:\b|_)/i

/** What a note says about safety and medication, with its safety plan. */
export const safetyOf = ({ sections }: Pick<Note, 'sections'>): Statement[] =>
  sections.flatMap((section) =>
    saidIn(section).filter(
      ({ text, safety }) => safety || ofSafety.test(`${section.key} ${section.title}`) || ofSafety.test(text),
    ),
  )
const ofSafety = /(?:\b|_)(?:safety|crisis|risk|suicid\w*|self-harm\w*)(?:\b|_)/i

/** Null for a note that says nothing. */
export const firstStatement = ({ sections }: Pick<Note, 'sections'>): string | null => sections.flatMap(saidIn)[0]?.text ?? null

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
  readonly add_on_code: string | null
  readonly earlier: readonly { readonly note: NoteBody; readonly day: string }[]
}

export function payerChecks(facts: PayerFacts): NoteCheck[] {
  const all = [minutesAgainstCode(facts), addOn(facts), ...missingElements(facts), clones(facts), ...contradictions(facts.note)]
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
    return needsYou('payer-times', 'Enter the actual start and end times. Payers ask for both, not the scheduled length.')
  const lasted = `The session lasted ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  if (minutes < MIN_BILLABLE && session.session_type !== 'group')
    return needsYou('payer-minutes', `${lasted} Psychotherapy under ${MIN_BILLABLE} minutes has no billing code.`)
  const fitting = fittingCodes(session.session_type, minutes)
  const offered = fitting.map((code) => `${code.code} (${spanOf(code)})`).join(', ')
  const chosen = session.cpt_code?.trim() ?? ''
  if (chosen === '')
    return needsYou('payer-code', `${lasted} No CPT code is chosen.${offered === '' ? '' : ` This length matches ${offered}.`}`)
  const known = cptCodes.find(({ code }) => code === chosen)
  if (known === undefined) return info('payer-code-unknown', `${lasted} Afterword has no time range for ${chosen}.`)
  if (!isReportable(known, session.session_type))
    return needsYou(
      'payer-code-type',
      `${chosen} is for “${known.name},” but this session is a different type. Its length matches ${offered || 'no code listed here'}.`,
    )
  if (minutes < known.from || (known.to !== null && minutes > known.to))
    return needsYou(
      'payer-minutes',
      `${lasted} ${chosen} covers ${spanOf(known)}. This length matches ${offered || 'no code listed here'}.`,
    )
  return null
}

function addOn({ session, add_on_code }: PayerFacts): NoteCheck | null {
  const known = addOnCodes.find(({ code }) => code === add_on_code)
  if (known === undefined || known.with.includes(session.cpt_code ?? '')) return null
  return needsYou('payer-add-on', `${known.code} can be billed only with ${known.with.join(', ')}. Change one of the two codes.`)
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
      needsYou('payer-diagnosis', 'Add a diagnosis in the client’s Details. Payers ask for one as the reason for treatment.'),
    ],
    [
      therapist_credential === null,
      needsYou('payer-credential', 'Your credentials aren’t in Settings, so they won’t appear with your signature.'),
    ],
    [
      !isIntake && !has(/^interventions?$/, /\b(?:therapist|clinician|counsell?or)\b|\bintervention\b/i),
      needsYou('payer-intervention', 'No intervention is documented.'),
    ],
    [
      !isIntake && !has(/^(?:response|assessment|evaluation|member_response)$/, /\bresponse\b|\bprogress\b|\bagreed\b/i),
      needsYou('payer-response', 'The client’s response or progress isn’t documented.'),
    ],
    [
      !has(/^(?:plan|recommendations|evaluation)$/, /\bnext (?:appointment|session)\b/i),
      needsYou('payer-plan', 'No plan is documented, such as homework or the next appointment.'),
    ],
    [!mentionsRisk(note), info('payer-risk', 'Risk isn’t documented. You can write “Not assessed.”')],
    [
      isTogether && session.participants.length < 2,
      needsYou('payer-participants', 'The session lists fewer than two participants. Payers ask who attended.'),
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
    `${percent}% of this note matches the note from ${closest.day} word for word. Add what was specific to this session.`,
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
    .map(([topic]) => needsYou('payer-contradiction', `The note says that “${topic}” was both stated and denied.`))
}

const statementsOf = (note: Pick<Note, 'sections'>): Statement[] => note.sections.flatMap(({ statements }) => statements)

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
