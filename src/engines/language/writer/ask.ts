import { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import { repaired } from './prompt.ts'
import { readAnswer } from './read-answer.ts'
import type { Question, TextModel } from './text-model.ts'

export type Asked<Value> =
  | { readonly kind: 'value'; readonly value: Value; readonly read_tokens: number | null }
  /** In no usable form, and not after being told what was wrong with it either. */
  | { readonly kind: 'malformed' }
  /** Question or answer had no room. */
  | { readonly kind: 'no-room' }

const refusal = 'The model declined to write this. You can write the draft without AI, or choose another model in Settings.'

/** Asks, reads the answer in its form, and asks once more where it cannot be read. */
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

/** Prose that says no, where an object was asked for. */
function isRefusal(text: string): boolean {
  return (
    !text.includes('{') &&
    /^\W*(?:i['\u2019]?m (?:sorry|unable|not able)|i (?:can(?:['\u2019]t|not)|am (?:unable|not able|sorry)|won['\u2019]t)|sorry|as an ai|unfortunately)\b/i.test(
      text.trim(),
    )
  )
}
