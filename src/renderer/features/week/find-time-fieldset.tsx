import type { Client } from '#contract/model/client.ts'
import type { Session, SessionType } from '#contract/model/session.ts'
import { useName } from '#renderer/lib/names.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { sessionTypeWords } from '#renderer/strings/today.ts'
import { weekStrings } from '#renderer/strings/week.ts'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import type { FindTimeFields } from './find-time-form.ts'

const words = weekStrings.find
const { places: placeWords } = clientsStrings.newSession
const types = (Object.keys(sessionTypeWords) as SessionType[]).map((value) => ({ value, label: sessionTypeWords[value] }))
const places = (Object.keys(placeWords) as Session['modality'][]).map((value) => ({ value, label: placeWords[value] }))

interface Props {
  readonly fields: FindTimeFields
  readonly clients: readonly Client[]
  readonly wrong: Partial<Record<'client_id' | 'minutes' | 'weeks', string>>
  readonly onChange: (fields: FindTimeFields) => void
}

export function FindTimeFieldset({ fields, clients, wrong, onChange }: Props) {
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
