import { useState, type FormEvent } from 'react'
import type { Client } from '#contract/model/client.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { ClientFields } from './client-fields.tsx'
import { checkFields, type ClientFormFields, fieldsOf, rebased, toPatch } from './client-form.ts'
import '#renderer/ui/form.css'

const words = clientsStrings.form

export function ClientDetails({ client }: { readonly client: Client }) {
  const toast = useToast()
  const update = useAction('clients.update')
  const [form, setForm] = useState(() => ({ of: client, fields: fieldsOf(client) }))
  // What came from elsewhere meanwhile is taken into what was not edited here, else saving would undo it.
  if (form.of.version !== client.version) setForm({ of: client, fields: rebased(form, client) })
  const { fields } = form
  const setFields = (next: ClientFormFields): void => setForm({ of: client, fields: next })
  const [isChecked, setChecked] = useState(false)
  const wrong = checkFields(fields)
  const patch = toPatch(fields, client)
  const isArchived = client.status === 'archived'
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setChecked(true)
    if (Object.keys(wrong).length > 0 || Object.keys(patch).length === 0 || update.isPending) return
    const saved = await update.mutateAsync({ id: client.id, version: client.version, patch }).catch(() => null)
    if (saved) toast({ text: words.saved })
  }
  const changeStatus = async (): Promise<void> => {
    const status = isArchived ? 'active' : 'archived'
    const saved = await update.mutateAsync({ id: client.id, version: client.version, patch: { status } }).catch(() => null)
    if (saved) toast({ text: isArchived ? words.unarchivedDone : words.archivedDone })
  }
  return (
    <div className="client-panel client-details">
      <form className="ui-form" onSubmit={(event) => void submit(event)} noValidate>
        <ClientFields fields={fields} onChange={setFields} wrong={isChecked ? wrong : {}} isWhole />
        {update.error && <Problem code={update.error.code} />}
        <div>
          <Button
            variant="filled"
            type="submit"
            busy={update.isPending ? words.saving : undefined}
            isDisabled={Object.keys(patch).length === 0}
          >
            {words.save}
          </Button>
        </div>
      </form>
      <div className="client-archive">
        <Button onPress={() => void changeStatus()}>{isArchived ? words.unarchive : words.archive}</Button>
        {!isArchived && <span className="caption">{words.archiveText}</span>}
      </div>
    </div>
  )
}
