import type { DraftRequest } from '../port.ts'
import { formOf } from '../rules/forms.ts'
import type { Form } from '../rules/forms.ts'
import { leftToClinician } from '../rules/sections.ts'
import type { Person } from '../rules/types.ts'

export interface FormSection {
  readonly key: string
  readonly title: string
  /** What stands here when nothing was said about it. */
  readonly empty: string
  /** Words alone cannot fill it, or it is the clinician's own to fill. */
  readonly is_clinicians: boolean
}

export interface NoteForm extends Pick<Form, 'carrier' | 'marks'> {
  /** In the order in which they stand in the note. */
  readonly sections: readonly FormSection[]
}

const clinicians = new Set(['mental_state', 'diagnosis'])

export function noteForm({ template, own = null }: Pick<DraftRequest, 'template' | 'own'>, people: readonly Person[]): NoteForm {
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
