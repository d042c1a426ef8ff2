import { acts } from '#engines/analysis/behaviours/act.ts'
import type { Act } from '#engines/analysis/behaviours/act.ts'
import type { Row } from './csv.ts'

/** One therapist utterance with the class its labellers put it in. */
export interface LabelledUtterance {
  readonly text: string
  /** What the other one said right before; null where the set has single utterances. */
  readonly previous: string | null
  readonly act: Act
  /** The classes its labellers chose among: a set without reflections tells nothing about them. */
  readonly among: readonly Act[]
  /** Utterances of one conversation stay together when a set is divided. */
  readonly group: string
}

/** Folds a known set of labels into question, reflection, information, other; null where it is none of these sets. */
export function readLabelled(columns: readonly string[], rows: readonly Row[]): LabelledUtterance[] | null {
  if (hasAll(columns, ['prompt', 'completion'])) return distinct(rows.flatMap(technique))
  if (hasAll(columns, ['Utterance', 'Task-Focused', 'Social Exchange', 'Speaker'])) return counselling(rows)
  if (hasAll(columns, ['interlocutor', 'utterance_text', 'main_therapist_behaviour'])) return interviewing(rows)
  return null
}

const techniques: readonly Act[] = ['question', 'reflection', 'information']
const counsellingActs: readonly Act[] = ['question', 'information', 'other']

/** Techniques of a therapist, several to one utterance; a client's behaviours are no class of these. */
function technique({ prompt = '', completion = '' }: Row): LabelledUtterance[] {
  const act: Act | null = completion.startsWith('Questions')
    ? 'question'
    : completion.startsWith('Reflections')
      ? 'reflection'
      : /^(?:Problem-Solving|Planning|Normalizing|Psychoeducation)$/.test(completion)
        ? 'information'
        : null
  return act === null || prompt.trim() === '' ? [] : [{ text: prompt, previous: null, act, among: techniques, group: prompt }]
}

/** Speaker 1 counsels. A social act without a task is other; an opinion that only cheers on is one of them. */
function counselling(rows: readonly Row[]): LabelledUtterance[] {
  return rows.flatMap((row, at) => {
    const text = row['Utterance']?.trim() ?? ''
    if (row['Speaker'] !== '1' || text === '') return []
    const before = rows[at - 1]
    const previous = before?.['dialog'] === row['dialog'] && before?.['Speaker'] === '2' ? (before['Utterance'] ?? null) : null
    return [{ text, previous, act: counsellingAct(row), among: counsellingActs, group: row['dialog'] ?? '' }]
  })
}

function counsellingAct(row: Row): Act {
  const task = row['Task-Focused'] ?? 'None'
  if (task.startsWith('Ask') || task === 'Check-Understanding') return 'question'
  if (task === 'None' || (task === 'Give-Opinion' && row['Social Exchange'] !== 'None')) return 'other'
  return 'information'
}

const interviewingActs: Readonly<Record<string, Act>> = {
  question: 'question',
  reflection: 'reflection',
  therapist_input: 'information',
  other: 'other',
}

/** Motivational interviews, whole conversations; an utterance judged by several counts once, as first judged. */
function interviewing(rows: readonly Row[]): LabelledUtterance[] {
  const seen = new Set<string>()
  let previous: string | null = null
  return rows.flatMap((row) => {
    const text = row['utterance_text']?.trim() ?? ''
    const group = row['transcript_id'] ?? ''
    const key = `${group} ${row['utterance_id'] ?? text}`
    if (row['interlocutor'] === 'client') {
      previous = text
      return []
    }
    const act = interviewingActs[row['main_therapist_behaviour'] ?? '']
    if (act === undefined || text === '' || seen.has(key)) return []
    seen.add(key)
    return [{ text, previous, act, among: acts, group }]
  })
}

function distinct(utterances: readonly LabelledUtterance[]): LabelledUtterance[] {
  const seen = new Set<string>()
  return utterances.filter(({ text, act }) => !seen.has(`${act} ${text}`) && seen.add(`${act} ${text}`))
}

function hasAll(columns: readonly string[], names: readonly string[]): boolean {
  return names.every((name) => columns.includes(name))
}
