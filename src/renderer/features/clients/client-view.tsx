import { ArrowLeft, Mic, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ClientRow } from '#contract/bridge/clients.ts'
import { isSample } from '#contract/bridge/sample.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { textOrNull } from '#renderer/lib/text.ts'
import { useName } from '#renderer/lib/names.ts'
import { clientPath, type ClientTab, navigate, replaceRoute, sessionPath } from '#renderer/lib/routes.ts'
import { chooseToStart } from '#renderer/lib/start-session.ts'
import { useForm } from '#renderer/lib/use-form.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { STATUS_EVERY_MS, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { SampleNotice } from '#renderer/sessions/sample.tsx'
import { nextSession } from '#renderer/sessions/session-status.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { briefWords } from '#renderer/strings/insights.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Answer, Problem, Tabs } from '#renderer/ui/page.tsx'
import { daysFromNow, formatMonth } from '#renderer/strings/time.ts'
import { ClientBrief } from './client-brief.tsx'
import { ClientConsent } from './client-consent.tsx'
import type { ClientPatch } from '#contract/model/client.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import { ClientFields } from './client-fields.tsx'
import { checkFields, fieldsOf, rebased, toPatch } from './client-form.ts'
import { ClientCoverage } from './coverage-tab.tsx'
import { ClientOverview, SessionLines } from './client-overview.tsx'
import { NewSessionDialog } from '#renderer/sessions/new-session-dialog.tsx'
import './client-view.css'

export function ClientView({ id, tab }: { readonly id: string; readonly tab: ClientTab }) {
  const setTab = (chosen: ClientTab): void => replaceRoute(clientPath(id, chosen))
  const [isAdding, setAdding] = useState(false)
  const found = useCall('clients.get', { id }, { everyMs: STATUS_EVERY_MS })
  const sessions = useCall('sessions.list', { client_id: id }, { everyMs: STATUS_EVERY_MS }).data ?? []
  const words = clientsStrings.tabs
  const row = found.data
  if (found.error || !row)
    return (
      <main className="client client-panel" data-region tabIndex={-1}>
        <BackLink />
        <Answer of={found} />
      </main>
    )
  const { client } = row
  const add = (): void => setAdding(true)
  const toDetails = (): void => setTab('details')
  const overview = <ClientOverview row={row} sessions={sessions} onAdd={add} onTab={setTab} />
  const allSessions = (
    <div className="client-panel">
      <SessionLines clientId={id} rows={sessions.toReversed()} />
    </div>
  )
  return (
    <main className="client" data-region tabIndex={-1}>
      <BackLink />
      <ClientHead row={row} sessions={sessions} onAdd={add} isQuiet={tab === 'coverage'} />
      <SampleNotice clientId={id} />
      <Tabs
        label={words.label}
        selected={tab}
        onSelect={setTab}
        items={[
          { id: 'overview', label: words.overview, content: overview },
          { id: 'brief', label: briefWords.tab, content: <ClientBrief id={id} /> },
          { id: 'sessions', label: words.sessions, content: allSessions },
          { id: 'consent', label: words.consent, content: <ClientConsent client={client} /> },
          { id: 'coverage', label: words.coverage, content: <ClientCoverage client={client} onDetails={toDetails} /> },
          {
            id: 'details',
            label: words.details,
            content: <ClientDetails key={client.id} client={client} record_number={row.record_number} />,
          },
        ]}
      />
      {isAdding && <NewSessionDialog client={client} onClose={() => setAdding(false)} />}
    </main>
  )
}

function BackLink() {
  return (
    <div className="client-back">
      <LinkButton icon={ArrowLeft} onPress={() => navigate('/clients')} label={clientsStrings.back} />
    </div>
  )
}

type ClientHeadProps = Readonly<{ row: ClientRow; sessions: readonly SessionRow[]; onAdd: () => void; isQuiet: boolean }>

function ClientHead({ row, sessions, onAdd, isQuiet }: ClientHeadProps) {
  const nameOf = useName()
  const now = useNow(60_000)
  const words = clientsStrings.head
  const today = nextSession(
    sessions.filter(({ session }) => daysFromNow(session.starts_at, now) === 0),
    now,
  )
  const start = (): void => {
    if (today === null) return
    if (today.recording === null) chooseToStart(today.session.id)
    navigate(sessionPath(today.session.id))
  }
  return (
    <header className="client-head">
      <div className="client-head-words">
        <h1 className="ui-page-title">{nameOf(row.client.display_name)}</h1>
        <p className="client-head-lead">{aboutClient(row, now)}</p>
      </div>
      <div className="ui-page-actions">
        {!isSample(row.client.id) && (
          <Button variant={today || isQuiet ? 'outlined' : 'filled'} icon={Plus} onPress={onAdd} label={words.newSession} />
        )}
        {today && <Button variant={isQuiet ? 'outlined' : 'filled'} icon={Mic} onPress={start} label={words.start} />}
      </div>
    </header>
  )
}

function aboutClient({ client, session_count }: ClientRow, now: Date): string {
  const words = clientsStrings.head
  const parts = [words.since({ month: formatMonth(client.created_at) }), words.sessions({ count: session_count })]
  if (client.pronouns !== null && client.pronouns !== '') parts.unshift(client.pronouns)
  if (client.date_of_birth !== null) parts.push(words.age({ years: ageOn(client.date_of_birth, now) }))
  return parts.join(' · ')
}

function ageOn(born: string, now: Date): number {
  const [year = 0, month = 1, day = 1] = born.split('-').map(Number)
  const hadBirthday = now.getMonth() + 1 > month || (now.getMonth() + 1 === month && now.getDate() >= day)
  return now.getFullYear() - year - (hadBirthday ? 0 : 1)
}

const words = clientsStrings.form

function ClientDetails({ client, record_number }: Pick<ClientRow, 'client' | 'record_number'>) {
  const toast = useToast()
  const update = useAction('clients.update')
  const [typedNumber, setTypedNumber] = useState(record_number ?? '')
  const number = textOrNull(typedNumber)
  const form = useForm(fieldsOf(client), checkFields)
  const [of, setOf] = useState(client)
  // Apply the edits to the newer version. Saving would otherwise overwrite changes made elsewhere.
  if (of.version !== client.version) {
    setOf(client)
    form.set(rebased({ of, fields: form.fields }, client))
  }
  const patch = toPatch(form.fields, client)
  const isSame = Object.keys(patch).length === 0 && number === record_number
  const isArchived = client.status === 'archived'
  const save = async (change: ClientPatch, said: string, record_number?: string | null): Promise<void> => {
    const { id, version } = client
    const saved = await update.mutateAsync({ id, version, patch: change, record_number }).catch(() => null)
    if (saved) toast({ text: said })
  }
  const submit = form.submit(async () => {
    if (!isSame && !update.isPending) await save(patch, words.saved, number)
  })
  const changeStatus = (): Promise<void> =>
    isArchived ? save({ status: 'active' }, words.unarchivedDone) : save({ status: 'archived' }, words.archivedDone)
  return (
    <div className="client-panel client-details">
      <form className="ui-form" onSubmit={(event) => void submit(event)} noValidate>
        <ClientFields form={form} isWhole>
          <TextField
            label={words.recordNumber}
            help={words.recordNumberHelp}
            value={typedNumber}
            onChange={setTypedNumber}
            maxLength={200}
          />
        </ClientFields>
        {update.error && <Problem code={update.error.code} />}
        <div>
          <Button variant="filled" type="submit" busy={update.isPending && words.saving} isDisabled={isSame} label={words.save} />
        </div>
      </form>
      <div className="client-archive">
        <Button onPress={() => void changeStatus()} label={isArchived ? words.unarchive : words.archive} />
        {!isArchived && <span className="caption">{words.archiveText}</span>}
      </div>
    </div>
  )
}
