import { Plus, ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type NoteStyle, contentKinds, type ContentKind } from '#contract/model/template.ts'
import { call, useAttempt } from '#renderer/bridge/use-bridge.ts'
import { formWords as words } from '#renderer/strings/forms.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { RadioGroup, Checkbox } from '#renderer/ui/choice.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { TextField, SelectField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import {
  addSection,
  canAddSection,
  isWhole,
  sectionsToSave,
  type EditedForm,
  changeSection,
  dropSection,
  moveSection,
  type EditedSection,
} from './form-edit.ts'

const choices = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }))

interface FormDialogProps {
  readonly form: EditedForm
  readonly onClose: () => void
}

export function FormDialog({ form: given, onClose }: FormDialogProps) {
  const { doing, error, attempt } = useAttempt<'save' | 'remove'>()
  const keep = useKeeping(given, onClose)
  const [form, setForm] = useState(given)
  const [isChecked, setChecked] = useState(false)
  const save = async (): Promise<void> => {
    setChecked(true)
    if (isWhole(form)) await attempt('save', () => keep.save(form))
  }
  return (
    <Dialog
      title={form.id === null ? words.title.make : words.title.edit}
      lead={words.lead}
      isOpen
      onClose={onClose}
      isDismissable={false}
      size="wide"
      actions={
        <>
          {form.id !== null && (
            <Button
              variant="erasing"
              busy={doing === 'remove' ? words.remove : undefined}
              onPress={() => void attempt('remove', () => keep.remove(form.id!))}
            >
              {words.remove}
            </Button>
          )}
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button variant="filled" busy={doing === 'save' ? words.saving : undefined} onPress={() => void save()}>
            {words.save}
          </Button>
        </>
      }
    >
      <FormFields form={form} isChecked={isChecked} onChange={setForm} />
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}

function useKeeping(given: EditedForm, onClose: () => void) {
  const toast = useToast()
  return {
    async save(form: EditedForm): Promise<void> {
      const { id, version, style } = form
      const name = form.name.trim()
      await call('templates.save', { id, version, name, style, sections: sectionsToSave(form) })
      toast({ text: words.saved({ name }), kind: 'done' })
      onClose()
    },
    async remove(id: string): Promise<void> {
      await call('templates.remove', { id })
      toast({ text: words.removed({ name: given.name }), kind: 'told' })
      onClose()
    },
  }
}

interface FormFieldsProps {
  readonly form: EditedForm
  readonly isChecked: boolean
  readonly onChange: (form: EditedForm) => void
}

function FormFields({ form, isChecked, onChange }: FormFieldsProps) {
  return (
    <div className="form-edit">
      <TextField
        label={words.name}
        autoFocus
        maxLength={200}
        value={form.name}
        onChange={(name) => onChange({ ...form, name })}
        error={isChecked && form.name.trim() === '' ? words.nameMissing : undefined}
      />
      {form.sections.map((section, index) => (
        <FormSection
          key={section.id}
          form={form}
          section={section}
          number={index + 1}
          isChecked={isChecked}
          onChange={onChange}
        />
      ))}
      {canAddSection(form) && (
        <Button icon={Plus} onPress={() => onChange(addSection(form))}>
          {words.add}
        </Button>
      )}
      <StyleFields style={form.style} onChange={(style) => onChange({ ...form, style })} />
    </div>
  )
}

function StyleFields({ style, onChange }: { readonly style: NoteStyle; readonly onChange: (style: NoteStyle) => void }) {
  return (
    <div className="form-edit-style">
      <RadioGroup
        label={words.length}
        look="row"
        value={style.length}
        options={choices(words.lengths)}
        onChange={(length) => onChange({ ...style, length })}
      />
      <RadioGroup
        label={words.clientAs}
        look="row"
        value={style.client_as}
        options={choices(words.names)}
        onChange={(client_as) => onChange({ ...style, client_as })}
      />
    </div>
  )
}

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

function FormSection({ form, section, number, isChecked, onChange }: FormSectionProps) {
  const { id, title, holds, when_empty } = section
  const name = title.trim() === '' ? words.untitled : title
  const change = (part: Partial<EditedSection>): void => onChange(changeSection(form, id, part))
  const toggle = (kind: ContentKind, isHeld: boolean): void =>
    change({ holds: contentKinds.filter((each) => (each === kind ? isHeld : holds.includes(each))) })
  return (
    <fieldset className="form-section">
      <legend className="caption">{words.section({ number })}</legend>
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
            label={words.up({ title: name })}
            icon={ArrowUp}
            isDisabled={number === 1}
            onPress={() => onChange(moveSection(form, id, -1))}
          />
          <IconButton
            label={words.down({ title: name })}
            icon={ArrowDown}
            isDisabled={number === form.sections.length}
            onPress={() => onChange(moveSection(form, id, 1))}
          />
          <IconButton
            label={words.drop({ title: name })}
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
