import { useState, type FormEvent } from 'react'
import { navigate, replaceRoute, clientPath } from '#renderer/lib/navigation.ts'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { Empty, Problem } from '#renderer/ui/page.tsx'
import type { Client } from '#contract/model/client.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { ClientList } from './client-list.tsx'
import { ClientView } from './client-view.tsx'
import { ClientFields } from './client-fields.tsx'
import { checkFields, emptyFields, toDraft } from './client-form.ts'
import './clients.css'

interface ClientsPageProps {
  readonly clientId: string | null
  readonly isAdding: boolean
}

/** The list beside where things stand with one person. */
export function ClientsPage({ clientId, isAdding }: ClientsPageProps) {
  const [isOpen, setOpen] = useState(isAdding)
  const all = useCall('clients.list', { status: 'active' })
  return (
    <div className="clients" data-chosen={clientId !== null || undefined}>
      <ClientList chosenId={clientId} onAdd={() => setOpen(true)} />
      {clientId === null ? (
        <section className="clients-none" aria-label={clientsStrings.tabs.label}>
          {all.data?.length === 0 ? (
            <Empty title={clientsStrings.none.title}>{clientsStrings.none.text}</Empty>
          ) : (
            <Empty title={clientsStrings.choose.title}>{clientsStrings.choose.text}</Empty>
          )}
        </section>
      ) : (
        <ClientView key={clientId} id={clientId} />
      )}
      {isOpen && (
        <ClientDialog
          onClose={(created) => {
            setOpen(false)
            if (created !== null) navigate(clientPath(created.id))
            else if (isAdding) replaceRoute('/clients')
          }}
        />
      )}
    </div>
  )
}

const words = clientsStrings.form

/** @param onClose with the new client, or null when left without one */
function ClientDialog({ onClose }: { readonly onClose: (created: Client | null) => void }) {
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
