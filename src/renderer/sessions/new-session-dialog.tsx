import { CalendarSearch, CalendarX } from 'lucide-react'
import type { Client } from '#contract/model/client.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { optionsOf } from '#renderer/lib/text.ts'
import { useForm, type Form } from '#renderer/lib/use-form.ts'
import { type BridgeFailure, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { DateField, TimeField } from '#renderer/ui/date-field.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import { appointmentWords, sessionTypeWords } from '#renderer/strings/today.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { checkSession, newFields, nextHalfHour, toSessionDraft, type DetailFields, type WhenFields } from './new-session-form.ts'

const words = clientsStrings.newSession
const SOON_MS = 45 * 60_000

export interface NewSessionDialogProps {
  readonly client?: Client
  readonly at?: Date | undefined
  /** Opens the search for a free time instead. */
  readonly onFind?: () => void
  readonly onClose: () => void
}

export function NewSessionDialog({ client, at, onFind, onClose }: NewSessionDialogProps) {
  const nameOf = useName()
  const toast = useToast()
  const clients = useCall('clients.list', { status: 'active' }).data?.map((row) => row.client)
  const form = useForm(() => newFields(client?.id ?? null, at ?? nextHalfHour(new Date())), checkSession)
  const chosen = client ?? clients?.find(({ id }) => id === form.fields.client_id)
  const create = useAction('sessions.create', (session) => {
    onClose()
    // Open a session that starts about now, without a toast, because a toast would cover the consent form.
    if (Math.abs(new Date(session.starts_at).getTime() - Date.now()) < SOON_MS) navigate(sessionPath(session.id))
    else toast({ text: words.added({ name: nameOf(chosen?.display_name ?? ''), when: formatDayTime(session.starts_at) }) })
  })
  const submit = form.submit(() => {
    const draft = toSessionDraft(form.fields, chosen)
    if (draft !== null && !create.isPending) create.mutate(draft)
  })
  return (
    <FormDialog
      title={client ? words.titleFor({ name: nameOf(client.display_name) }) : words.title}
      onClose={onClose}
      cancel={words.cancel}
      submit={words.add}
      busy={create.isPending && words.adding}
      onSubmit={submit}
    >
      {!client && clients?.length === 0 && <Notice tone="needs" text={words.noClients} />}
      {!client && (
        <SelectField
          {...form.bind('client_id')}
          label={words.client}
          options={(clients ?? []).map(({ id, display_name }) => ({ value: id, label: nameOf(display_name) }))}
          autoFocus
        />
      )}
      <WhenFieldset form={form} />
      {onFind && <LinkButton icon={CalendarSearch} onPress={onFind} label={calendarStrings.find.instead} />}
      <DetailFieldset form={form} />
      {create.error && <BookingProblem error={create.error} />}
    </FormDialog>
  )
}

const typesWithOthers = ['couple', 'family', 'group'] as const

export function WhenFieldset({ form: { bind, pick } }: { readonly form: Form<WhenFields> }) {
  return (
    <div className="ui-form-three">
      <DateField {...pick('date')} label={words.date} />
      <TimeField {...bind('time')} label={words.time} />
      <TextField {...bind('minutes')} label={words.length} type="number" min="5" max="480" />
    </div>
  )
}

export function DetailFieldset({ form: { fields, set, pick } }: { readonly form: Form<DetailFields> }) {
  return (
    <>
      <div className="ui-form-pair">
        <SelectField {...pick('session_type')} label={words.type} options={optionsOf(sessionTypeWords)} />
        <SelectField {...pick('modality')} label={words.place} options={optionsOf(words.places)} />
      </div>
      <TextField {...pick('others')} label={words.others} help={words.othersHelp} isMultiline rows={2} />
      {fields.session_type === 'individual' && fields.others.trim() !== '' && (
        <div className="ui-form-ask" role="group" aria-label={words.typeAsk}>
          <span className="caption">{words.typeAsk}</span>
          {typesWithOthers.map((session_type) => (
            <Button key={session_type} size="row" onPress={() => set({ session_type })} label={sessionTypeWords[session_type]} />
          ))}
        </div>
      )}
    </>
  )
}

/** Names the other appointment of a double booking. */
export function BookingProblem({ error: { code, detail } }: { readonly error: BridgeFailure }) {
  const nameOf = useName()
  const other = useCall('sessions.get', { id: detail ?? '' }, { enabled: code === 'double-booking' && detail !== undefined })
  if (other.isLoading) return null
  if (other.data === undefined) return <Problem code={code} />
  const time = formatDayTime(other.data.session.starts_at)
  const title = appointmentWords.taken({ name: nameOf(other.data.client_name), time })
  return <Notice tone="stopped" icon={CalendarX} title={title} text={appointmentWords.takenNext} />
}
