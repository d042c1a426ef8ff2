import { useState, type FormEvent } from 'react'
import type { Client } from '#contract/model/client.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/navigation.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import { checkSession, newFields, toSessionDraft } from './new-session-form.ts'
import { NewSessionFieldset } from './new-session-fieldset.tsx'

const words = clientsStrings.newSession
const soonMs = 45 * 60_000

interface NewSessionDialogProps {
  /** Left out: chosen in the dialog. */
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
    // A session about to begin opens: its page says that it was added, and no toast lies over the question for consent.
    if (Math.abs(new Date(session.starts_at).getTime() - Date.now()) < soonMs) navigate(sessionPath(session.id))
    else toast({ text: words.added(nameOf(chosen.display_name), formatDayTime(session.starts_at)) })
  }
  return (
    <FormDialog
      title={client ? words.titleFor(nameOf(client.display_name)) : words.title}
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
