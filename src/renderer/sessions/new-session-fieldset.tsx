import type { Session, SessionType } from '#contract/model/session.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { sessionTypeWords } from '#renderer/strings/today.ts'
import { DateField, TimeField } from '#renderer/ui/date-field.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import type { NewSessionFields } from './new-session-form.ts'

const words = clientsStrings.newSession
const types = (Object.keys(sessionTypeWords) as SessionType[]).map((type) => ({ value: type, label: sessionTypeWords[type] }))
const places = (Object.keys(words.places) as Session['modality'][]).map((place) => ({ value: place, label: words.places[place] }))

const typesWithOthers = ['couple', 'family', 'group'] as const

interface NewSessionFieldsetProps {
  readonly fields: NewSessionFields
  readonly wrong: Partial<Record<keyof NewSessionFields, string>>
  readonly onChange: (fields: NewSessionFields) => void
}

export function NewSessionFieldset({ fields, wrong, onChange }: NewSessionFieldsetProps) {
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
