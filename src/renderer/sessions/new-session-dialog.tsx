import { useState, type FormEvent } from 'react'
import type { Client } from '#contract/model/client.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import type { Session, SessionType } from '#contract/model/session.ts'
import { sessionTypeWords } from '#renderer/strings/today.ts'
import { DateField, TimeField } from '#renderer/ui/date-field.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { checkSession, newFields, toSessionDraft, type NewSessionFields } from './new-session-form.ts'

const words = clientsStrings.newSession
const SOON_MS = 45 * 60_000

interface NewSessionDialogProps {
  readonly client?: Client
  readonly onClose: () => void
}

export function NewSessionDialog({ client, onClose }: NewSessionDialogProps) {
  const nameOf = useName()
  const toast = useToast()
  const create = useAction('sessions.create')
  const clients = useCall('clients.list', { status: 'active' }).data?.map((row) => row.client)
  const [fields, setFields] = useState(() => newFields(client?.id ?? null, new Date()))
  const [isChecked, setChecked] = useState(false)
  const wrong = isChecked ? checkSession(fields) : {}
  const chosen = client ?? clients?.find(({ id }) => id === fields.client_id)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setChecked(true)
    const draft = toSessionDraft(fields, chosen)
    if (draft === null || chosen === undefined || create.isPending) return
    const session = await create.mutateAsync(draft).catch(() => null)
    if (session === null) return
    onClose()
    // Open a session that starts soon. Its page shows that it was booked, and a toast would cover the consent form.
    if (Math.abs(new Date(session.starts_at).getTime() - Date.now()) < SOON_MS) navigate(sessionPath(session.id))
    else toast({ text: words.added({ name: nameOf(chosen.display_name), when: formatDayTime(session.starts_at) }) })
  }
  return (
    <FormDialog
      title={client ? words.titleFor({ name: nameOf(client.display_name) }) : words.title}
      onClose={onClose}
      cancel={words.cancel}
      submit={words.add}
      busy={create.isPending ? words.adding : undefined}
      onSubmit={submit}
    >
      {!client && clients?.length === 0 && <Notice tone="needs">{words.noClients}</Notice>}
      {!client && (
        <SelectField
          label={words.client}
          value={fields.client_id}
          onChange={(client_id) => setFields({ ...fields, client_id })}
          options={(clients ?? []).map(({ id, display_name }) => ({ value: id, label: nameOf(display_name) }))}
          error={wrong.client_id}
          autoFocus
        />
      )}
      <NewSessionFieldset fields={fields} wrong={wrong} onChange={setFields} />
      {create.error && <Problem code={create.error.code} />}
    </FormDialog>
  )
}

const types = (Object.keys(sessionTypeWords) as SessionType[]).map((type) => ({ value: type, label: sessionTypeWords[type] }))
const places = (Object.keys(words.places) as Session['modality'][]).map((place) => ({ value: place, label: words.places[place] }))

const typesWithOthers = ['couple', 'family', 'group'] as const

interface NewSessionFieldsetProps {
  readonly fields: NewSessionFields
  readonly wrong: Partial<Record<keyof NewSessionFields, string>>
  readonly onChange: (fields: NewSessionFields) => void
}

function NewSessionFieldset({ fields, wrong, onChange }: NewSessionFieldsetProps) {
  const set = (part: Partial<NewSessionFields>): void => onChange({ ...fields, ...part })
  return (
    <>
      <div className="ui-form-three">
        <DateField label={words.date} value={fields.date} onChange={(date) => set({ date })} />
        <TimeField label={words.time} value={fields.time} onChange={(time) => set({ time })} error={wrong.time} />
        <TextField
          label={words.length}
          type="number"
          min="5"
          max="480"
          value={fields.minutes}
          onChange={(minutes) => set({ minutes })}
          error={wrong.minutes}
        />
      </div>
      <div className="ui-form-pair">
        <SelectField
          label={words.type}
          value={fields.session_type}
          options={types}
          onChange={(session_type) => set({ session_type })}
        />
        <SelectField label={words.place} value={fields.modality} options={places} onChange={(modality) => set({ modality })} />
      </div>
      <TextField
        label={words.others}
        help={words.othersHelp}
        isMultiline
        rows={2}
        value={fields.others}
        onChange={(others) => set({ others })}
      />
      {fields.session_type === 'individual' && fields.others.trim() !== '' && (
        <div className="ui-form-ask" role="group" aria-label={words.typeAsk}>
          <span className="caption">{words.typeAsk}</span>
          {typesWithOthers.map((session_type) => (
            <Button key={session_type} size="row" onPress={() => set({ session_type })}>
              {sessionTypeWords[session_type]}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}
