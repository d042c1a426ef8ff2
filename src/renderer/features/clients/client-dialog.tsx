import { useState, type FormEvent } from 'react'
import type { Client } from '#contract/model/client.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { ClientFields } from './client-fields.tsx'
import { checkFields, emptyFields, toDraft } from './client-form.ts'

const words = clientsStrings.form

/** @param onClose with the new client, or null when left without one */
export function ClientDialog({ onClose }: { readonly onClose: (created: Client | null) => void }) {
  const create = useAction('clients.create')
  const [fields, setFields] = useState(emptyFields)
  const [isChecked, setChecked] = useState(false)
  const wrong = checkFields(fields)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setChecked(true)
    if (Object.keys(wrong).length > 0 || create.isPending) return
    const created = await create.mutateAsync(toDraft(fields)).catch(() => null)
    if (created === null) return
    onClose(created)
  }
  return (
    <FormDialog
      title={words.titleNew}
      onClose={() => onClose(null)}
      cancel={words.cancel}
      submit={words.create}
      busy={create.isPending ? words.creating : undefined}
      onSubmit={submit}
    >
      <ClientFields fields={fields} onChange={setFields} wrong={isChecked ? wrong : {}} autoFocus />
      {create.error && <Problem code={create.error.code} />}
    </FormDialog>
  )
}
