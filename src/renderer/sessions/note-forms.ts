import { builtInTemplates, ownTemplateId, type BuiltInTemplate, type Template } from '#contract/model/template.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { formWords } from '#renderer/strings/forms.ts'
import type { SelectOption } from '#renderer/ui/field.tsx'

export interface NoteForms {
  readonly options: readonly SelectOption<Template>[]
  nameOf(template: Template): string
  partsOf(template: Template): string
}

export function useNoteForms(): NoteForms {
  const own = useCall('templates.list', {}).data ?? []
  const isBuiltIn = (template: Template): template is BuiltInTemplate => ownTemplateId(template) === null
  const ownOf = (template: Template) => own.find(({ id }) => id === ownTemplateId(template))
  const nameOf = (template: Template): string =>
    isBuiltIn(template) ? formWords.builtIn[template].name : (ownOf(template)?.name ?? formWords.gone)
  const partsOf = (template: Template): string =>
    isBuiltIn(template)
      ? formWords.builtIn[template].parts
      : (ownOf(template)?.sections.map(({ title }) => title.toLowerCase()) ?? []).join(', ')
  const all: Template[] = [...builtInTemplates, ...own.map(({ id }): Template => `own:${id}`)]
  return { options: all.map((value) => ({ value, label: nameOf(value), detail: partsOf(value) })), nameOf, partsOf }
}
