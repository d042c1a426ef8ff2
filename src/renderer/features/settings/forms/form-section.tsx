import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { contentKinds, type ContentKind } from '#contract/model/template.ts'
import { formWords as words } from '#renderer/strings/forms.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { changeSection, dropSection, moveSection, type EditedForm, type EditedSection } from './form-edit.ts'

interface FormSectionProps {
  readonly form: EditedForm
  readonly section: EditedSection
  readonly number: number
  readonly isChecked: boolean
  readonly onChange: (form: EditedForm) => void
}

const emptyChoices = (['not_stated', 'not_assessed', 'left_to_clinician'] as const).map((value) => ({
  value,
  label: words.whenEmpty[value],
}))

export function FormSection({ form, section, number, isChecked, onChange }: FormSectionProps) {
  const { id, title, holds, when_empty } = section
  const name = title.trim() === '' ? words.untitled : title
  const change = (part: Partial<EditedSection>): void => onChange(changeSection(form, id, part))
  const toggle = (kind: ContentKind, isHeld: boolean): void =>
    change({ holds: contentKinds.filter((each) => (each === kind ? isHeld : holds.includes(each))) })
  return (
    <fieldset className="form-section">
      <legend className="caption">{words.section(number)}</legend>
      <div className="form-section-head">
        <TextField
          label={words.sectionTitle}
          maxLength={200}
          value={title}
          onChange={(next) => change({ title: next })}
          error={isChecked && title.trim() === '' ? words.titleMissing : undefined}
        />
        <SelectField
          label={words.empty}
          value={when_empty}
          options={emptyChoices}
          onChange={(next) => change({ when_empty: next })}
        />
        <div className="form-section-moves">
          <IconButton
            label={words.up(name)}
            icon={ArrowUp}
            isDisabled={number === 1}
            onPress={() => onChange(moveSection(form, id, -1))}
          />
          <IconButton
            label={words.down(name)}
            icon={ArrowDown}
            isDisabled={number === form.sections.length}
            onPress={() => onChange(moveSection(form, id, 1))}
          />
          <IconButton
            label={words.drop(name)}
            icon={Trash2}
            isDisabled={form.sections.length === 1}
            onPress={() => onChange(dropSection(form, id))}
          />
        </div>
      </div>
      <div role="group" aria-label={`${words.holds}: ${name}`}>
        <p className="caption">{holds.length === 0 ? words.holdsNothing : words.holds}</p>
        <div className="form-section-kinds">
          {contentKinds.map((kind) => (
            <Checkbox key={kind} isSelected={holds.includes(kind)} onChange={(isHeld) => toggle(kind, isHeld)}>
              {words.kinds[kind]}
            </Checkbox>
          ))}
        </div>
      </div>
    </fieldset>
  )
}
