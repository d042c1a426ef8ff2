import { useId, useState, type FormEvent } from 'react'
import type { MethodInput } from '#contract/bridge/methods.ts'
import type { ScheduleAnswer, ScheduleProposal } from '#contract/model/schedule.ts'
import { useName } from '#renderer/lib/names.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { NewSessionDialog } from '#renderer/sessions/new-session-dialog.tsx'
import { reasonWords, weekStrings } from '#renderer/strings/week.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import type { Client } from '#contract/model/client.ts'
import type { Session, SessionType } from '#contract/model/session.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { sessionTypeWords } from '#renderer/strings/today.ts'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { midnight } from '#renderer/lib/use-now.ts'
import { localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'
import { TimeOptions, whenOf } from './time-options.tsx'
import '#renderer/ui/form.css'

const words = weekStrings.find
const MAX_SHOWN = 5

export function FindTimeDialog({ onClose }: { readonly onClose: () => void }) {
  const [isAtATime, setAtATime] = useState(false)
  return isAtATime ? <NewSessionDialog onClose={onClose} /> : <Finding onClose={onClose} onAtATime={() => setAtATime(true)} />
}

function Finding({ onClose, onAtATime }: { readonly onClose: () => void; readonly onAtATime: () => void }) {
  const form = useId()
  const [fields, setFields] = useState(emptyFields)
  const [isChecked, setChecked] = useState(false)
  const ask = useAction('schedule.ask')
  const { book, chosen, choose, proposal } = useBooking(ask.data?.proposals ?? [], onClose)
  const clients = useCall('clients.list', { status: 'active' }).data?.map((row) => row.client)
  const client = clients?.find(({ id }) => id === fields.client_id)
  const look = (event: FormEvent): void => {
    event.preventDefault()
    setChecked(true)
    const question = questionOf(fields, new Date())
    if (question !== null && !ask.isPending) ask.mutate(question)
  }
  const change = (next: FindTimeFields): void => {
    setFields(next)
    ask.reset()
    choose(null)
  }
  return (
    <Dialog
      title={words.title}
      size="wide"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onPress={onAtATime}>
            {words.atATime}
          </Button>
          <Button onPress={onClose}>{words.cancel}</Button>
          <NextStep
            form={form}
            proposal={client && proposal}
            isLooking={ask.isPending}
            isBooking={book.isPending}
            onBook={() => client && book.start(fields, client.display_name)}
          />
        </>
      }
    >
      <form id={form} className="ui-form" onSubmit={look} noValidate>
        {clients?.length === 0 && <Notice tone="needs">{words.noClients}</Notice>}
        <FindTimeFieldset
          fields={fields}
          clients={clients ?? []}
          wrong={isChecked ? checkFields(fields) : {}}
          onChange={change}
        />
        {(ask.error ?? book.error) && <Problem code={(ask.error ?? book.error)?.code ?? null} />}
        {ask.isPending && <Loading>{words.looking}</Loading>}
        {ask.data && <Found answer={ask.data} chosen={chosen} onChoose={choose} />}
      </form>
    </Dialog>
  )
}

interface NextStepProps {
  readonly form: string
  readonly proposal: ScheduleProposal | undefined
  readonly isLooking: boolean
  readonly isBooking: boolean
  readonly onBook: () => void
}

function NextStep({ form, proposal, isLooking, isBooking, onBook }: NextStepProps) {
  return proposal === undefined ? (
    <Button variant="filled" type="submit" form={form} busy={isLooking ? words.looking : undefined}>
      {words.look}
    </Button>
  ) : (
    <Button variant="filled" busy={isBooking ? words.booking : undefined} onPress={onBook}>
      {words.book({ when: whenOf(proposal) })}
    </Button>
  )
}

interface FoundProps {
  readonly answer: ScheduleAnswer
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
}

function Found({ answer: { proposals, infeasible_core }, chosen, onChoose }: FoundProps) {
  if (proposals.length > 0)
    return <TimeOptions label={words.options} proposals={proposals.slice(0, MAX_SHOWN)} value={chosen} onChange={onChoose} />
  return (
    <Notice tone="needs" title={words.none}>
      {infeasible_core.length > 0 && words.ruledOut({ reasons: reasonWords(infeasible_core) })}
    </Notice>
  )
}

type Wanted = Pick<MethodInput<'schedule.book'>, 'session_type' | 'modality'> & {
  readonly client_id: string | null
  readonly minutes: string
}

function useBooking(proposals: readonly ScheduleProposal[], onClose: () => void) {
  const nameOf = useName()
  const toast = useToast()
  const action = useAction('schedule.book')
  const [picked, choose] = useState<string | null>(null)
  const proposal = proposals.find(({ id }) => id === picked) ?? proposals[0]
  function start({ client_id, session_type, modality, minutes }: Wanted, name: string): void {
    if (proposal === undefined || client_id === null) return
    const starts = proposal.occurrences.map(({ start: wall, utc_offset }) => new Date(wall + utc_offset).toISOString())
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const room_id = proposal.room_id ?? null
    const duration_minutes = Number(minutes)
    action.mutate(
      { client_id, session_type, modality, duration_minutes, time_zone, room_id, starts },
      {
        onSuccess: () => {
          toast({ text: words.booked({ name: nameOf(name), when: whenOf(proposal) }) })
          onClose()
        },
      },
    )
  }
  return { book: { isPending: action.isPending, error: action.error, start }, chosen: proposal?.id ?? null, choose, proposal }
}

const { places: placeWords } = clientsStrings.newSession
const types = (Object.keys(sessionTypeWords) as SessionType[]).map((value) => ({ value, label: sessionTypeWords[value] }))
const places = (Object.keys(placeWords) as Session['modality'][]).map((value) => ({ value, label: placeWords[value] }))

interface Props {
  readonly fields: FindTimeFields
  readonly clients: readonly Client[]
  readonly wrong: Partial<Record<'client_id' | 'minutes' | 'weeks', string>>
  readonly onChange: (fields: FindTimeFields) => void
}

function FindTimeFieldset({ fields, clients, wrong, onChange }: Props) {
  const nameOf = useName()
  const set = (part: Partial<FindTimeFields>): void => onChange({ ...fields, ...part })
  return (
    <>
      <SelectField
        label={words.client}
        value={fields.client_id}
        onChange={(client_id) => set({ client_id })}
        options={clients.map(({ id, display_name }) => ({ value: id, label: nameOf(display_name) }))}
        error={wrong.client_id}
        autoFocus
      />
      <div className="ui-form-three">
        <SelectField
          label={words.type}
          value={fields.session_type}
          options={types}
          onChange={(session_type) => set({ session_type })}
        />
        <SelectField label={words.place} value={fields.modality} options={places} onChange={(modality) => set({ modality })} />
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
      <TextField
        label={words.wish}
        help={words.wishHelp}
        value={fields.wish}
        onChange={(wish) => set({ wish })}
        maxLength={500}
      />
      <div className="week-weekly">
        <Checkbox isSelected={fields.isWeekly} onChange={(isWeekly) => set({ isWeekly })}>
          {words.weekly}
        </Checkbox>
        {fields.isWeekly && (
          <TextField
            label={words.weeks}
            type="number"
            min="2"
            max="52"
            value={fields.weeks}
            onChange={(weeks) => set({ weeks })}
            error={wrong.weeks}
          />
        )}
      </div>
    </>
  )
}

interface FindTimeFields {
  readonly client_id: string | null
  readonly session_type: SessionType
  readonly modality: Session['modality']
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

function checkFields(fields: FindTimeFields): Partial<Record<'client_id' | 'minutes' | 'weeks', string>> {
  const within = (text: string, least: number, most: number): boolean => {
    const number = Number(text)
    return Number.isInteger(number) && number >= least && number <= most
  }
  return {
    ...(fields.client_id === null ? { client_id: words.clientMissing } : {}),
    ...(within(fields.minutes, 5, 480) ? {} : { minutes: words.lengthWrong }),
    ...(!fields.isWeekly || within(fields.weeks, 2, 52) ? {} : { weeks: words.weeksWrong }),
  }
}

/** A search of the next four weeks, or null while a field is invalid. */
function questionOf(fields: FindTimeFields, now: Date): MethodInput<'schedule.ask'> | null {
  if (fields.client_id === null || Object.keys(checkFields(fields)).length > 0) return null
  const wish = fields.wish.trim()
  return {
    mode: 'propose',
    client_id: fields.client_id,
    session_type: fields.session_type,
    modality: fields.modality,
    duration_minutes: Number(fields.minutes),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    window: { from: localWall(now), to: localWall(midnight(now, 28)) },
    ...(wish === '' ? {} : { text: wish }),
    ...(fields.isWeekly ? { rrule: `FREQ=WEEKLY;COUNT=${Number(fields.weeks)}` } : {}),
  }
}

export function localWall(at: Date): string {
  return `${localDateValue(at)}T${localTimeValue(at)}:00`
}
