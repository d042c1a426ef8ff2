import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'
import type { Evidence, Omission, Statement } from '#contract/model/note.ts'
import type { DraftRequest } from '../port.ts'
import type { SectionPlan } from './forms.ts'
import { contentId } from './quotes.ts'

export const statementOf = (text: string, more: Partial<Statement> = {}): Statement => ({
  id: contentId('st', text, more.evidence ?? []),
  text,
  evidence: [],
  support: 'paraphrase',
  origin: 'rules',
  finding: null,
  safety: false,
  confirmed_at: null,
  ...more,
})

export function emptyLine({ key, title, empty }: Pick<SectionPlan, 'key' | 'title' | 'empty'>): Statement {
  const finding = empty.startsWith('Not assessed') ? ({ topic: title, state: 'not_assessed' } as const) : null
  return statementOf(empty, { id: contentId('st', `${key}: ${empty}`, []), finding })
}

export const marksOf = ({ marks = [] }: DraftRequest): Statement[] =>
  marks
    .filter(({ text }) => text.trim() !== '')
    .map(({ at_ms, text }) =>
      statementOf(cutText(`${clockOf(at_ms)} ${text.trim()}`, MAX_PARAGRAPH), {
        support: 'clinician_entered',
        origin: 'person',
      }),
    )

function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const pad = (value: number): string => String(value).padStart(2, '0')
  return `[${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}]`
}

export function omissionOf(kind: Omission['kind'], whole: string, evidence: Evidence[]): Omission {
  const text = cutText(whole, MAX_PARAGRAPH)
  return { id: contentId('om', `${kind}:${text}`, evidence), kind, text, evidence, decision: 'open' }
}
