import type { ContentKind, NoteStyle, OwnTemplate, TemplateSection } from '#contract/model/template.ts'
import { freeSectionKey } from '#contract/model/template.ts'
import { formWords } from '#renderer/strings/forms.ts'

export interface EditedSection extends Omit<TemplateSection, 'key'> {
  readonly id: number
  readonly key: string
}

export interface EditedForm {
  readonly id: string | null
  readonly version: number | null
  readonly name: string
  readonly sections: readonly EditedSection[]
  readonly style: NoteStyle
}

const MAX_SECTIONS = 20

export function emptyForm(): EditedForm {
  const style = { length: 'usual', client_as: 'name' } as const
  const parts: [string, ContentKind[]][] = [
    [formWords.newSections.said, ['said', 'risk', 'medication']],
    [formWords.newSections.done, ['interventions']],
    [formWords.newSections.plan, ['plan']],
  ]
  const sections = parts.map(([title, holds], id): EditedSection => ({ id, key: '', title, holds, when_empty: 'not_stated' }))
  return { id: null, version: null, name: '', sections, style }
}

export function editedForm(form: OwnTemplate): EditedForm {
  return { ...form, sections: form.sections.map((section, id) => ({ ...section, id })) }
}

export function fromExample({ name, sections }: { name: string; sections: readonly TemplateSection[] }): EditedForm {
  return { ...emptyForm(), name, sections: sections.map((section, id) => ({ ...section, id })) }
}

export const changeSection = (form: EditedForm, id: number, change: Partial<EditedSection>): EditedForm => ({
  ...form,
  sections: form.sections.map((section) => (section.id === id ? { ...section, ...change } : section)),
})

export const dropSection = (form: EditedForm, id: number): EditedForm => ({
  ...form,
  sections: form.sections.filter((section) => section.id !== id),
})

export const canAddSection = (form: EditedForm): boolean => form.sections.length < MAX_SECTIONS

export function addSection(form: EditedForm): EditedForm {
  const id = Math.max(-1, ...form.sections.map((section) => section.id)) + 1
  return { ...form, sections: [...form.sections, { id, key: '', title: '', holds: [], when_empty: 'not_stated' }] }
}

export function moveSection(form: EditedForm, id: number, step: 1 | -1): EditedForm {
  const from = form.sections.findIndex((section) => section.id === id)
  const to = from + step
  const moved = form.sections[from]
  if (moved === undefined || to < 0 || to >= form.sections.length) return form
  return { ...form, sections: form.sections.toSpliced(from, 1).toSpliced(to, 0, moved) }
}

export const isWhole = (form: EditedForm): boolean =>
  form.name.trim() !== '' && form.sections.length > 0 && form.sections.every(({ title }) => title.trim() !== '')

/** Existing keys never change, so that sections of notes still belong to a heading that was reworded. */
export function sectionsToSave(form: EditedForm): TemplateSection[] {
  const taken = new Set(form.sections.map(({ key }) => key).filter((key) => key !== ''))
  return form.sections.map(({ id: _id, key, ...section }) => ({
    ...section,
    title: section.title.trim(),
    key: key === '' ? freeSectionKey(section.title, taken) : key,
  }))
}
