import { AppError } from '#contract/errors.ts'
import type { NoteStyle } from '#contract/model/template.ts'
import type { FormSection } from './form-sections.ts'
import { draftFormOf, type SaidDraft } from './answer-form.ts'
import { ask } from './ask.ts'
import { budgetOf } from './budget.ts'
import type { Coverage } from './coverage.ts'
import { cutIntoPasses, halved, type Pass } from './passes.ts'
import { draftInstructions, fenced } from './prompt.ts'
import { sectionCounter } from './read-answer.ts'
import type { Source } from './source.ts'
import type { TextModel } from './text-model.ts'

/** In a note of usual length, so that a long session does not drown in statements; each part gives its share of them. */
const mostInAll = 40
const fewestOfPart = 4
const factors = { short: 0.5, usual: 1, full: 1.5 } as const
/** No language takes so many letters for a token. */
const mostLettersPerToken = 7

export interface SessionRead extends Coverage {
  readonly drafts: readonly SaidDraft[]
}

export interface ReadingPorts {
  readonly model: TextModel
  readonly signal: AbortSignal
  /** Share of the reading that is done, 0 to 1; never goes back. */
  readonly onShare: (share: number) => void
}

/** Has the model read the whole session, part by part; a part it has no room for is halved until it fits or cannot be. */
export async function readSession(
  source: Source,
  sections: readonly FormSection[],
  length: NoteStyle['length'],
  { model, signal, onShare }: ReadingPorts,
): Promise<SessionRead> {
  const form = draftFormOf(sections.map(({ key }) => key))
  const budget = budgetOf(model.context_tokens, draftInstructions(sections, mostInAll))
  const open = cutIntoPasses(source.lines, budget.read)
  const all = open.reduce((sum, { letters }) => sum + letters, 0)
  const most = Math.round(mostInAll * factors[length])
  const instructions = draftInstructions(sections, Math.max(fewestOfPart, Math.ceil(most / Math.max(1, open.length))))
  const read: Pass[] = []
  const unread: Pass[] = []
  const silent: Pass[] = []
  const drafts: SaidDraft[] = []
  let done = 0
  let isDoubtful = false
  for (let pass = open.shift(); pass !== undefined; pass = open.shift()) {
    const { letters } = pass
    const prompt = fenced(pass.lines)
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
      const sent = (prompt.length + instructions.length) / mostLettersPerToken
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
