import { FilePenLine, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { formWords as words, formWords } from '#renderer/strings/forms.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Group } from '../setting.tsx'
import { editedForm, emptyForm, type EditedForm, fromExample } from './form-edit.ts'
import { FormDialog } from './form-dialog.tsx'
import './forms.css'

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
              <Button aria-label={words.editNamed({ name: form.name })} onPress={() => setEdited(editedForm(form))}>
                {words.edit}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="setting-actions own-forms-actions">
        <Button icon={Plus} onPress={() => setEdited(emptyForm())}>
          {words.make}
        </Button>
        <Button icon={FilePenLine} onPress={() => setExample(true)}>
          {words.fromExample}
        </Button>
      </div>
      {edited !== null && <FormDialog key={edited.id ?? 'new'} form={edited} onClose={() => setEdited(null)} />}
      {isExample && (
        <ExampleDialog
          onClose={() => setExample(false)}
          onRead={(form) => {
            setExample(false)
            setEdited(form)
          }}
        />
      )}
    </Group>
  )
}

const exampleWords = formWords.example

interface ExampleDialogProps {
  readonly onClose: () => void
  readonly onRead: (form: EditedForm) => void
}

function ExampleDialog({ onClose, onRead }: ExampleDialogProps) {
  const read = useAction('templates.fromExample')
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = async (): Promise<void> => {
    setMissing(text.trim() === '')
    if (text.trim() === '') return
    const found = await read.mutateAsync({ text: text.slice(0, 40_000) }).catch(() => null)
    if (found !== null) onRead(fromExample(found))
  }
  return (
    <Dialog
      title={exampleWords.title}
      lead={exampleWords.lead}
      isOpen
      onClose={onClose}
      isDismissable={false}
      size="wide"
      actions={
        <>
          <Button onPress={onClose}>{formWords.cancel}</Button>
          <Button variant="filled" busy={read.isPending ? exampleWords.reading : undefined} onPress={() => void submit()}>
            {exampleWords.read}
          </Button>
        </>
      }
    >
      <TextField
        label={exampleWords.text}
        isMultiline
        rows={12}
        autoFocus
        value={text}
        onChange={setText}
        error={isMissing ? exampleWords.empty : undefined}
      />
      {read.error && <Problem code={read.error.code} />}
    </Dialog>
  )
}
