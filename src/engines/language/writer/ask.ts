import { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import { createHash } from 'node:crypto'
import prompts from './prompts.json' with { type: 'json' }
import type { DraftRequest, Question, TextModel } from '../port.ts'
import { formOf, leftToClinician } from '../rules/forms.ts'
import type { Person } from '../rules/types.ts'
import type { Source } from './source.ts'
import { readAnswer, sectionCounter } from './read-answer.ts'
import type { NoteStyle } from '#contract/model/template.ts'
import { cutIntoPasses, halved, type Pass, budgetOf } from './passes.ts'

export type Asked<Value> =
  | { readonly kind: 'value'; readonly value: Value; readonly read_tokens: number | null }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'no-room' }

const refusal = 'The model declined to write this. You can write the draft without AI, or choose another model in Settings.'

export async function ask<Form extends z.ZodType>(
  model: TextModel,
  question: Omit<Question, 'form'>,
  form: Form,
  signal: AbortSignal,
  onText: (piece: string) => void,
): Promise<Asked<z.output<Form>>> {
  let { prompt } = question
  const bound = z.toJSONSchema(form, { target: 'draft-7' })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const told = await model.tell({ ...question, prompt, form: bound }, signal, onText)
    signal.throwIfAborted()
    if (told.kind === 'refused') throw new AppError('engine-refused', refusal)
    if (told.kind === 'too-long') return { kind: 'no-room' }
    const reading = readAnswer(form, told.text)
    if ('value' in reading) return { kind: 'value', value: reading.value, read_tokens: told.read_tokens }
    if (told.is_cut) return { kind: 'no-room' }
    if (isRefusal(told.text)) throw new AppError('engine-refused', refusal)
    prompt = repaired(question.prompt, reading.problem)
  }
  return { kind: 'malformed' }
}

const refusing =
  /^\W*(?:i['\u2019]?m (?:sorry|unable|not able)|i (?:can(?:['\u2019]t|not)|am (?:unable|not able|sorry)|won['\u2019]t)|sorry|as an ai|unfortunately)\b/i

const isRefusal = (text: string): boolean => !text.includes('{') && refusing.test(text.trim())

/** The fields a model may set for a statement. Ids, safety flags, and the topics of findings are computed. */
const saidStatementSchema = z.object({
  text: z.string(),
  finding: z.enum(['stated', 'denied', 'none']),
  evidence: z.array(z.object({ segment: z.number(), quote: z.string() })),
})

export function draftFormOf(keys: readonly string[]) {
  const key = keys.length > 0 ? z.enum(keys as [string, ...string[]]) : z.string()
  return z.object({ sections: z.array(z.object({ key, statements: z.array(saidStatementSchema) })) })
}

/** In the last pass, the model selects statements by number only, so that it cannot write new text. */
export function orderFormOf(keys: readonly string[]) {
  const key = keys.length > 0 ? z.enum(keys as [string, ...string[]]) : z.string()
  return z.object({ sections: z.array(z.object({ key, statements: z.array(z.number()) })) })
}

export type SaidStatement = z.infer<typeof saidStatementSchema>
export type SaidDraft = z.infer<ReturnType<typeof draftFormOf>>

export const promptOf = (lines: readonly string[], sections: readonly FormSection[], most: number): string =>
  lines
    .flatMap((line) => (line === '{sections}' ? sections.map(({ key, title }) => `- ${key}: ${title}`) : [line]))
    .join('\n')
    .replace('{most}', String(most))

/** The tag contains a hash of the text, so that no speaker can say the closing tag. */
export function fenced(name: string, lines: readonly string[]): string {
  const written = lines.join('\n')
  const fence = `${name}-${createHash('sha256').update(written).digest('hex').slice(0, 12)}`
  return `<${fence}>\n${written}\n</${fence}>`
}

const repaired = (prompt: string, problem: string): string =>
  `${prompt}\n\nYour last answer could not be used: ${problem}. Answer again, with the one JSON object in the asked form and nothing else.`

export type NoteForm = ReturnType<typeof noteForm>
export type FormSection = NoteForm['sections'][number]

const clinicians = new Set(['mental_state', 'diagnosis'])

export function noteForm({ template, own = null }: Pick<DraftRequest, 'template' | 'own'>, people: readonly Person[]) {
  const { plans, order, carrier, marks } = formOf(template, own, people)
  const headings = new Set(own?.sections.filter(({ holds }) => holds.length === 0).map(({ key }) => key))
  const sections = plans
    .map(({ key, title, empty }) => ({
      key,
      title,
      empty,
      is_clinicians: headings.has(key) || (own === null && clinicians.has(key)) || empty === leftToClinician,
    }))
    .toSorted((left, right) => order.indexOf(left.key) - order.indexOf(right.key))
  return { sections, carrier, marks }
}

const MAX_IN_ALL = 40
const MIN_OF_PART = 4
const factors = { short: 0.5, usual: 1, full: 1.5 } as const
/**
 * A high estimate. If the server reports so few prompt tokens that the prompt has more characters per token than this, the
 * server probably read only a part of the prompt.
 */
const MAX_LETTERS_PER_TOKEN = 7

interface ReadingPorts {
  readonly model: TextModel
  readonly signal: AbortSignal
  readonly onShare: (share: number) => void
}

export async function readSession(
  source: Source,
  sections: readonly FormSection[],
  length: NoteStyle['length'],
  { model, signal, onShare }: ReadingPorts,
) {
  const form = draftFormOf(sections.map(({ key }) => key))
  const budget = budgetOf(model.context_tokens, promptOf(prompts.draft, sections, MAX_IN_ALL))
  const open = cutIntoPasses(source.lines, budget.read)
  const all = open.reduce((sum, { letters }) => sum + letters, 0)
  const most = Math.round(MAX_IN_ALL * factors[length])
  const instructions = promptOf(prompts.draft, sections, Math.max(MIN_OF_PART, Math.ceil(most / Math.max(1, open.length))))
  const read: Pass[] = []
  const unread: Pass[] = []
  const silent: Pass[] = []
  const drafts: SaidDraft[] = []
  let done = 0
  let isDoubtful = false
  for (let pass = open.shift(); pass !== undefined; pass = open.shift()) {
    const { letters } = pass
    const prompt = fenced(
      'TRANSCRIPT',
      pass.lines.map(({ number, label, text }) => `[${number}] ${label}: ${text}`),
    )
    const begun = sectionCounter()
    const asked = await ask(model, { instructions, prompt, most_tokens: budget.answer }, form, signal, (piece) =>
      onShare((done + letters * Math.min(0.95, begun(piece) / (sections.length + 1))) / all),
    )
    const halves = asked.kind === 'no-room' ? halved(pass) : null
    if (halves) {
      open.unshift(...halves)
      continue
    }
    done += letters
    onShare(done / all)
    if (asked.kind !== 'value') unread.push(pass)
    else {
      read.push(pass)
      drafts.push(asked.value)
      if (asked.value.sections.every(({ statements }) => statements.length === 0)) silent.push(pass)
      const sent = (prompt.length + instructions.length) / MAX_LETTERS_PER_TOKEN
      isDoubtful ||= asked.read_tokens !== null && asked.read_tokens > 0 && asked.read_tokens < sent
    }
  }
  if (read.length === 0)
    throw new AppError(
      'engine-unusable',
      'The model does not answer in the form a note needs. Another model may, or write the draft without AI.',
    )
  return { drafts, read, unread, silent, is_doubtful: isDoubtful }
}
