import { useState } from 'react'
import { navigate, replaceRoute, clientPath } from '#renderer/lib/navigation.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { Empty } from '#renderer/ui/page.tsx'
import { ClientDialog } from './client-dialog.tsx'
import { ClientList } from './client-list.tsx'
import { ClientView } from './client-view.tsx'
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
