import type { NoteBody } from '#contract/model/note.ts'
import { modelLanguage } from '#engines/language/writer/model-language.ts'
import type { Question, TextModel, Told } from '#engines/language/port.ts'

export const never = new AbortController().signal

/** A model that answers by script, and shows what it was asked. */
export function scripted(
  answers: readonly (string | Partial<Told> | ((question: Question) => string))[],
  context_tokens = 16_384,
) {
  const asked: Question[] = []
  const model: TextModel = {
    engine: { name: 'test', version: '1', model: 'scripted' },
    context_tokens,
    tell: async (question) => {
      const next = answers[Math.min(asked.push(question) - 1, answers.length - 1)]!
      const told = typeof next === 'function' ? next(question) : next
      return typeof told === 'string'
        ? { kind: 'text', text: told, is_cut: false, read_tokens: null }
        : ({ kind: 'text', text: '', is_cut: false, read_tokens: null, ...told } as Told)
    },
  }
  return { port: modelLanguage(model), asked }
}

/** What the model itself got into the note. */
export const textsOf = (body: NoteBody) =>
  body.sections.flatMap(({ statements }) => statements.filter(({ origin }) => origin === 'model').map(({ text }) => text))
