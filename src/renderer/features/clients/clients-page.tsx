import { useState, useDeferredValue } from 'react'
import { type ClientTab, navigate, replaceRoute, clientPath, sessionPath } from '#renderer/lib/routes.ts'
import { chooseToStart } from '#renderer/lib/start-session.ts'
import { localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'
import { newFields, toSessionDraft } from '#renderer/sessions/new-session-form.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { useForm } from '#renderer/lib/use-form.ts'
import { call, failureCode, STATUS_EVERY_MS, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { Empty, Problem } from '#renderer/ui/page.tsx'
import type { Client } from '#contract/model/client.ts'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { Plus, Search, X } from 'lucide-react'
import * as Aria from 'react-aria-components'
import type { ClientRow } from '#contract/bridge/clients.ts'
import { monogramOf } from '#domain/names.ts'
import { useName } from '#renderer/lib/names.ts'
import { MissingRecords } from '#renderer/lib/recovery-report.tsx'
import { LookAround } from '#renderer/sessions/sample.tsx'
import { useNow } from '#renderer/lib/use-now.ts'
import { fieldStrings } from '#renderer/strings/app.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { formatDayTime, formatDay } from '#renderer/strings/time.ts'
import { ClientView } from './client-view.tsx'
import { ClientFields } from './client-fields.tsx'
import { checkFields, emptyFields, toDraft } from './client-form.ts'
import './clients.css'

type ClientsPageProps = Readonly<{ clientId: string | null; tab: ClientTab; isAdding: boolean }>

export function ClientsPage({ clientId, tab, isAdding }: ClientsPageProps) {
  const [isOpen, setOpen] = useState(false)
  const all = useCall('clients.list', { status: 'active' }, { everyMs: STATUS_EVERY_MS })
  const none = all.data?.length === 0 ? clientsStrings.none : clientsStrings.choose
  return (
    <div className="clients" data-chosen={clientId !== null || undefined}>
      <ClientList chosenId={clientId} onAdd={() => setOpen(true)} />
      {clientId === null ? (
        <section className="clients-none" aria-label={clientsStrings.tabs.label}>
          <MissingRecords
            otherwise={
              <Empty title={none.title}>
                <p>{none.text}</p>
                {none === clientsStrings.none && <LookAround />}
              </Empty>
            }
          />
        </section>
      ) : (
        <ClientView key={clientId} id={clientId} tab={tab} />
      )}
      {(isOpen || isAdding) && (
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

/** Opens the page of a session that begins now. */
async function startNow(client: Client): Promise<void> {
  const now = new Date()
  const fields = { ...newFields(client.id, now), date: localDateValue(now), time: localTimeValue(now) }
  const { id } = await call('sessions.create', toSessionDraft(fields, client)!)
  chooseToStart(id)
  navigate(sessionPath(id))
}

function ClientDialog({ onClose }: { readonly onClose: (created: Client | null) => void }) {
  const nameOf = useName()
  const toast = useToast()
  const create = useAction('clients.create', onClose)
  const form = useForm(emptyFields, checkFields)
  const add = (then: (client: Client) => unknown): void => {
    if (!create.isPending) void create.mutateAsync(toDraft(form.fields)).then(then, () => undefined)
  }
  const submit = form.submit(() => add(() => undefined))
  const start = (client: Client): Promise<void> =>
    startNow(client).catch((error: unknown) => {
      const reason = errorSentences[failureCode(error)].happened
      toast({ text: words.notStarted({ name: nameOf(client.display_name), reason }) })
    })
  return (
    <FormDialog
      title={words.titleNew}
      onClose={() => onClose(null)}
      cancel={words.cancel}
      submit={words.create}
      busy={create.isPending && words.creating}
      alternative={<Button onPress={() => form.check() && add(start)} label={words.createAndStart} />}
      onSubmit={submit}
    >
      <ClientFields form={form} autoFocus />
      {create.error && <Problem code={create.error.code} />}
    </FormDialog>
  )
}

function ClientList({ chosenId, onAdd }: { readonly chosenId: string | null; readonly onAdd: () => void }) {
  const [typed, setTyped] = useState('')
  const [showsArchived, setShowsArchived] = useState(false)
  const q = useDeferredValue(typed.trim())
  const list = useCall(
    'clients.list',
    { ...(q === '' ? {} : { q }), ...(showsArchived ? {} : { status: 'active' as const }) },
    { keepPrevious: true },
  )
  const rows = list.data ?? []
  // Without a selection, the list is the main region. The element stays the same, so that focus and filter survive.
  const isPage = chosenId === null
  const Title = isPage ? 'h1' : 'h2'
  return (
    <div role={isPage ? 'main' : 'region'} className="client-list" aria-label={clientsStrings.list} data-region tabIndex={-1}>
      <div className="client-list-head">
        <Title className="client-list-title">
          {clientsStrings.title} <span className="client-list-count">{list.data?.length ?? ''}</span>
        </Title>
        <IconButton variant="outlined" label={clientsStrings.add} icon={Plus} onPress={onAdd} />
      </div>
      <ClientFilter value={typed} onChange={setTyped} />
      {list.error && <Problem code={list.error.code} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && q !== '' && (
        <Empty title={clientsStrings.notFound.title}>{clientsStrings.notFound.text}</Empty>
      )}
      <Aria.Virtualizer layout={Aria.ListLayout} layoutOptions={{ rowHeight: 56, padding: 8 }}>
        <Aria.ListBox
          aria-label={clientsStrings.list}
          className="client-rows"
          items={rows.map((row) => ({ id: row.client.id, row }))}
          selectionMode="single"
          selectionBehavior="replace"
          selectedKeys={chosenId === null ? [] : [chosenId]}
          onSelectionChange={(keys) => {
            const id = keys === 'all' ? undefined : [...keys][0]
            if (typeof id === 'string') navigate(clientPath(id))
          }}
        >
          {({ row }) => <ClientListRow row={row} />}
        </Aria.ListBox>
      </Aria.Virtualizer>
      <div className="client-list-foot">
        <Checkbox isSelected={showsArchived} onChange={setShowsArchived} label={clientsStrings.archived} />
      </div>
    </div>
  )
}

function ClientFilter({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <Aria.SearchField className="client-filter" aria-label={clientsStrings.filter} value={value} onChange={onChange}>
      <Search aria-hidden />
      <Aria.Input autoComplete="off" className="ui-field-input" placeholder={clientsStrings.filter} maxLength={200} />
      {value !== '' && (
        <Aria.Button className="client-filter-clear" aria-label={fieldStrings.clear}>
          <X aria-hidden />
        </Aria.Button>
      )}
    </Aria.SearchField>
  )
}

function ClientListRow({ row }: { readonly row: ClientRow }) {
  const nameOf = useName()
  const name = nameOf(row.client.display_name)
  return (
    <Aria.ListBoxItem id={row.client.id} textValue={name} className="client-row">
      <span className="monogram" aria-hidden>
        {monogramOf(row.client.display_name)}
      </span>
      <span className="client-row-words">
        <span className="client-row-name">{name}</span>{' '}
        <span className="client-row-state">
          <ClientState row={row} />
        </span>
      </span>
    </Aria.ListBoxItem>
  )
}

function ClientState({ row }: { readonly row: ClientRow }) {
  const now = useNow(60_000)
  const words = clientsStrings.row
  if (row.client.status === 'archived') return words.archived
  if (row.unsigned_notes > 0) return words.unsigned({ count: row.unsigned_notes })
  if (row.next_session_at !== null && !row.consented.includes('record')) return words.noConsent
  if (row.next_session_at !== null) return words.next({ when: capitalized(formatDayTime(row.next_session_at, now)) })
  if (row.last_session_at !== null) return words.last({ when: formatDay(row.last_session_at, now) })
  return row.session_count > 0 ? words.sessions({ count: row.session_count }) : words.new
}
