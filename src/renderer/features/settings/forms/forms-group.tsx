import { FilePenLine, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { formWords as words } from '#renderer/strings/forms.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { Group } from '../setting.tsx'
import { ExampleDialog } from './example-dialog.tsx'
import { editedForm, emptyForm, type EditedForm } from './form-edit.ts'
import { FormDialog } from './form-dialog.tsx'
import './forms.css'

/** The therapist's own forms of notes, beside the field's. */
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
              <Button aria-label={words.editNamed(form.name)} onPress={() => setEdited(editedForm(form))}>
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
