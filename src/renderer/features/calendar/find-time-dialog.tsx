import { useId, useState } from 'react'
import type { MethodInput } from '#contract/bridge/methods.ts'
import type { ScheduleAnswer, ScheduleProposal } from '#contract/model/schedule.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { useName } from '#renderer/lib/names.ts'
import { isWithin, optionsOf } from '#renderer/lib/text.ts'
import { useForm, wrongOf, type Form } from '#renderer/lib/use-form.ts'
import { midnight } from '#renderer/lib/use-now.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { localWall, TimeOptions, whenOf } from '#renderer/sessions/appointment-times.tsx'
import { BookingProblem, NewSessionDialog } from '#renderer/sessions/new-session-dialog.tsx'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { sessionTypeWords } from '#renderer/strings/today.ts'
import { reasonWords, calendarStrings } from '#renderer/strings/calendar.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Loading, Notice } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'

const words = calendarStrings.find
const MAX_SHOWN = 5

export function FindTimeDialog({ onClose }: { readonly onClose: () => void }) {
  const [isAtATime, setAtATime] = useState(false)
  return isAtATime ? <NewSessionDialog onClose={onClose} /> : <Finding onClose={onClose} onAtATime={() => setAtATime(true)} />
}

function Finding({ onClose, onAtATime }: { readonly onClose: () => void; readonly onAtATime: () => void }) {
  const formId = useId()
  const ask = useAction('schedule.ask')
  const booking = useBooking(ask.data?.proposals ?? [], onClose)
  const form = useForm(emptyFields, checkFields, () => {
    ask.reset()
    booking.choose(null)
  })
  const clients = useCall('clients.list', { status: 'active' }).data?.map((row) => row.client)
  const client = clients?.find(({ id }) => id === form.fields.client_id)
  const look = form.submit(() => {
    const question = questionOf(form.fields, new Date())
    if (question !== null && !ask.isPending) ask.mutate(question)
  })
  const error = ask.error ?? booking.error
  return (
    <Dialog
      title={words.title}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onPress={onAtATime} label={words.atATime} />
          <Button onPress={onClose} label={words.cancel} />
          {client && booking.proposal ? (
            <Button
              variant="filled"
              busy={booking.isPending && words.booking}
              onPress={() => booking.start(form.fields, client)}
              label={words.book({ when: whenOf(booking.proposal) })}
            />
          ) : (
            <Button variant="filled" type="submit" form={formId} busy={ask.isPending && words.looking} label={words.look} />
          )}
        </>
      }
    >
      <form id={formId} className="ui-form" onSubmit={(event) => void look(event)} noValidate>
        {clients?.length === 0 && <Notice tone="needs" text={words.noClients} />}
        <FindTimeFieldset form={form} clients={clients ?? []} />
        {error && <BookingProblem error={error} />}
        {ask.isPending && <Loading>{words.looking}</Loading>}
        {ask.data && <Found answer={ask.data} chosen={booking.proposal?.id ?? null} onChoose={booking.choose} />}
      </form>
    </Dialog>
  )
}

type FoundProps = Readonly<{ answer: ScheduleAnswer; chosen: string | null; onChoose: (id: string) => void }>

function Found({ answer: { proposals, infeasible_core }, chosen, onChoose }: FoundProps) {
  if (proposals.length > 0)
    return <TimeOptions label={words.options} proposals={proposals.slice(0, MAX_SHOWN)} value={chosen} onChange={onChoose} />
  const reasons = reasonWords(infeasible_core)
  return <Notice tone="needs" title={words.none} text={infeasible_core.length > 0 && words.ruledOut({ reasons })} />
}

function useBooking(proposals: readonly ScheduleProposal[], onClose: () => void) {
  const nameOf = useName()
  const toast = useToast()
  const { mutate, isPending, error } = useAction('schedule.book')
  const [picked, choose] = useState<string | null>(null)
  const proposal = proposals.find(({ id }) => id === picked) ?? proposals[0]
  function start({ session_type, modality, minutes }: FindTimeFields, client: Client): void {
    if (proposal === undefined) return
    const starts = proposal.occurrences.map(({ start: wall, utc_offset }) => new Date(wall + utc_offset).toISOString())
    const input = {
      client_id: client.id,
      session_type,
      modality,
      duration_minutes: Number(minutes),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      room_id: proposal.room_id ?? null,
      starts,
    }
    const onSuccess = (): void => {
      toast({ text: words.booked({ name: nameOf(client.display_name), when: whenOf(proposal) }) })
      onClose()
    }
    mutate(input, { onSuccess })
  }
  return { isPending, error, proposal, choose, start }
}

type FindTimeFieldsetProps = Readonly<{ form: Form<FindTimeFields>; clients: readonly Client[] }>

function FindTimeFieldset({ form: { fields, set, bind, pick }, clients }: FindTimeFieldsetProps) {
  const nameOf = useName()
  return (
    <>
      <SelectField
        {...bind('client_id')}
        label={words.client}
        options={clients.map(({ id, display_name }) => ({ value: id, label: nameOf(display_name) }))}
        autoFocus
      />
      <div className="ui-form-three">
        <SelectField {...pick('session_type')} label={words.type} options={optionsOf(sessionTypeWords)} />
        <SelectField {...pick('modality')} label={words.place} options={optionsOf(clientsStrings.newSession.places)} />
        <TextField {...bind('minutes')} label={words.length} type="number" min="5" max="480" />
      </div>
      <TextField {...pick('wish')} label={words.wish} help={words.wishHelp} maxLength={500} />
      <div className="calendar-weekly">
        <Checkbox isSelected={fields.isWeekly} onChange={(isWeekly) => set({ isWeekly })} label={words.weekly} />
        {fields.isWeekly && <TextField {...bind('weeks')} label={words.weeks} type="number" min="2" max="52" />}
      </div>
    </>
  )
}

interface FindTimeFields extends Pick<Session, 'session_type' | 'modality'> {
  readonly client_id: string | null
  readonly minutes: string
  readonly wish: string
  readonly isWeekly: boolean
  readonly weeks: string
}

const emptyFields: FindTimeFields = {
  client_id: null,
  session_type: 'individual',
  modality: 'in_person',
  minutes: '50',
  wish: '',
  isWeekly: false,
  weeks: '8',
}

const checkFields = ({ client_id, minutes, isWeekly, weeks }: FindTimeFields) =>
  wrongOf({
    client_id: client_id === null && words.clientMissing,
    minutes: !isWithin(minutes, 5, 480) && words.lengthWrong,
    weeks: isWeekly && !isWithin(weeks, 2, 52) && words.weeksWrong,
  })

function questionOf(fields: FindTimeFields, now: Date): MethodInput<'schedule.ask'> | null {
  const { client_id, session_type, modality, minutes, isWeekly, weeks } = fields
  if (client_id === null) return null
  const wish = fields.wish.trim()
  return {
    mode: 'propose',
    client_id,
    session_type,
    modality,
    duration_minutes: Number(minutes),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    window: { from: localWall(now), to: localWall(midnight(now, 28)) },
    ...(wish === '' ? {} : { text: wish }),
    ...(isWeekly ? { rrule: `FREQ=WEEKLY;COUNT=${Number(weeks)}` } : {}),
  }
}
