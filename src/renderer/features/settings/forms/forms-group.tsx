import { ArrowDown, ArrowUp, FilePenLine, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { contentKinds, type ContentKind } from '#contract/model/template.ts'
import { optionsOf } from '#renderer/lib/text.ts'
import { call, useAction, useAttempt, useCall } from '#renderer/bridge/use-bridge.ts'
import { formWords as words, formWords } from '#renderer/strings/forms.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { RadioGroup, Checkbox } from '#renderer/ui/choice.tsx'
import { ConfirmDialog, Dialog } from '#renderer/ui/dialog.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { Group } from '../setting.tsx'
import {
  addSection,
  canAddSection,
  isWhole,
  sectionsToSave,
  type EditedForm,
  changeSection,
  dropSection,
  moveSection,
  editedForm,
  type EditedSection,
  emptyForm,
  fromExample,
} from './form-edit.ts'
import './forms.css'

const exampleWords = formWords.example

export function FormsGroup() {
  const forms = useCall('templates.list', {})
  const [edited, setEdited] = useState<EditedForm | null>(null)
  const [isExample, setExample] = useState(false)
  const own = forms.data ?? []
  return (
    <Group title={words.group}>
      {forms.error && <Problem code={forms.error.code} onRetry={() => void forms.refetch()} />}
      {own.length === 0 && <p className="setting-text">{words.none}</p>}
      {own.length > 0 && (
        <ul className="own-forms" aria-label={words.group}>
          {own.map((form) => (
            <li key={form.id} className="own-form">
              <div>
                <p className="setting-label">{form.name}</p>
                <p className="setting-text">{form.sections.map(({ title }) => title).join(', ')}</p>
              </div>
              <Button
                aria-label={words.editNamed({ name: form.name })}
                onPress={() => setEdited(editedForm(form))}
                label={words.edit}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="setting-actions own-forms-actions">
        <Button icon={Plus} onPress={() => setEdited(emptyForm())} label={words.make} />
        <Button icon={FilePenLine} onPress={() => setExample(true)} label={words.fromExample} />
      </div>
      {edited !== null && <FormDialog key={edited.id ?? 'new'} form={edited} onClose={() => setEdited(null)} />}
      {isExample && <ExampleDialog onClose={() => setExample(false)} onRead={setEdited} />}
    </Group>
  )
}

function ExampleDialog({ onClose, onRead }: { readonly onClose: () => void; readonly onRead: (form: EditedForm) => void }) {
  const read = useAction('templates.fromExample', (found) => {
    onClose()
    onRead(fromExample(found))
  })
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (): void => {
    setMissing(text.trim() === '')
    if (text.trim() !== '') read.mutate({ text: text.slice(0, 40_000) })
  }
  return (
    <ConfirmDialog
      title={exampleWords.title}
      lead={exampleWords.lead}
      size="wide"
      variant="filled"
      isCancelFocused={false}
      onClose={onClose}
      cancel={formWords.cancel}
      submit={exampleWords.read}
      busy={read.isPending && exampleWords.reading}
      onConfirm={submit}
    >
      <TextField
        label={exampleWords.text}
        isMultiline
        rows={12}
        autoFocus
        value={text}
        onChange={setText}
        error={isMissing && exampleWords.empty}
      />
      {read.error && <Problem code={read.error.code} />}
    </ConfirmDialog>
  )
}

function FormDialog({ form: given, onClose }: { readonly form: EditedForm; readonly onClose: () => void }) {
  const toast = useToast()
  const { doing, error, attempt } = useAttempt<'save' | 'remove'>()
  const [form, setForm] = useState(given)
  const [isChecked, setChecked] = useState(false)
  const save = async (): Promise<void> => {
    setChecked(true)
    if (!isWhole(form)) return
    const { id, version, style } = form
    const name = form.name.trim()
    const sections = sectionsToSave(form)
    if ((await attempt('save', () => call('templates.save', { id, version, name, style, sections }))) !== null) return
    toast({ text: words.saved({ name }) })
    onClose()
  }
  const remove = async (id: string): Promise<void> => {
    if ((await attempt('remove', () => call('templates.remove', { id }))) !== null) return
    toast({ text: words.removed({ name: given.name }), kind: 'told' })
    onClose()
  }
  return (
    <Dialog
      title={form.id === null ? words.title.make : words.title.edit}
      lead={words.lead}
      onClose={onClose}
      isDismissable={false}
      size="wide"
      actions={
        <>
          {form.id !== null && (
            <Button
              variant="erasing"
              busy={doing === 'remove' && words.remove}
              onPress={() => void remove(form.id!)}
              label={words.remove}
            />
          )}
          <Button onPress={onClose} label={words.cancel} />
          <Button variant="filled" busy={doing === 'save' && words.saving} onPress={() => void save()} label={words.save} />
        </>
      }
    >
      <FormFields form={form} isChecked={isChecked} onChange={setForm} />
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}

type FormFieldsProps = Readonly<{ form: EditedForm; isChecked: boolean; onChange: (form: EditedForm) => void }>

function FormFields({ form, isChecked, onChange }: FormFieldsProps) {
  const { style } = form
  return (
    <div className="form-edit">
      <TextField
        label={words.name}
        autoFocus
        maxLength={200}
        value={form.name}
        onChange={(name) => onChange({ ...form, name })}
        error={isChecked && form.name.trim() === '' && words.nameMissing}
      />
      {form.sections.map((section, index) => (
        <FormSection key={section.id} form={form} section={section} index={index} isChecked={isChecked} onChange={onChange} />
      ))}
      {canAddSection(form) && <Button icon={Plus} onPress={() => onChange(addSection(form))} label={words.add} />}
      <div className="form-edit-style">
        <RadioGroup
          label={words.length}
          look="row"
          value={style.length}
          options={optionsOf(words.lengths)}
          onChange={(length) => onChange({ ...form, style: { ...style, length } })}
        />
        <RadioGroup
          label={words.clientAs}
          look="row"
          value={style.client_as}
          options={optionsOf(words.names)}
          onChange={(client_as) => onChange({ ...form, style: { ...style, client_as } })}
        />
      </div>
    </div>
  )
}

type FormSectionProps = FormFieldsProps & Readonly<{ section: EditedSection; index: number }>

const choices = (['not_stated', 'not_assessed', 'left_to_clinician'] as const).map((value) => ({
  value,
  label: words.whenEmpty[value],
}))

function FormSection({ form, section, index, isChecked, onChange }: FormSectionProps) {
  const { id, title, holds, when_empty } = section
  const name = title.trim() === '' ? words.untitled : title
  const change = (part: Partial<EditedSection>): void => onChange(changeSection(form, id, part))
  const count = form.sections.length
  const move = (step: 1 | -1) => () => onChange(moveSection(form, id, step))
  const drop = (): void => onChange(dropSection(form, id))
  const toggle = (kind: ContentKind) => (isHeld: boolean) =>
    change({ holds: contentKinds.filter((each) => (each === kind ? isHeld : holds.includes(each))) })
  return (
    <fieldset className="form-section">
      <legend className="caption">{words.section({ number: index + 1 })}</legend>
      <div className="form-section-head">
        <TextField
          label={words.sectionTitle}
          maxLength={200}
          value={title}
          onChange={(next) => change({ title: next })}
          error={isChecked && title.trim() === '' && words.titleMissing}
        />
        <SelectField label={words.empty} value={when_empty} options={choices} onChange={(next) => change({ when_empty: next })} />
        <div className="form-section-moves">
          <IconButton label={words.up({ title: name })} icon={ArrowUp} isDisabled={index === 0} onPress={move(-1)} />
          <IconButton label={words.down({ title: name })} icon={ArrowDown} isDisabled={index === count - 1} onPress={move(1)} />
          <IconButton label={words.drop({ title: name })} icon={Trash2} isDisabled={count === 1} onPress={drop} />
        </div>
      </div>
      <div role="group" aria-label={`${words.holds}: ${name}`}>
        <p className="caption">{holds.length === 0 ? words.holdsNothing : words.holds}</p>
        <div className="form-section-kinds">
          {contentKinds.map((kind) => (
            <Checkbox key={kind} isSelected={holds.includes(kind)} onChange={toggle(kind)} label={words.kinds[kind]} />
          ))}
        </div>
      </div>
    </fieldset>
  )
}
