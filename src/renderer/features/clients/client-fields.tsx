import { clientsStrings } from '#renderer/strings/clients.ts'
import { DateField } from '#renderer/ui/date-field.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import type { ClientFormFields, WrongFields } from './client-form.ts'
import '#renderer/ui/form.css'

const words = clientsStrings.form

interface ClientFieldsProps {
  readonly fields: ClientFormFields
  readonly wrong: WrongFields
  readonly onChange: (fields: ClientFormFields) => void
  readonly autoFocus?: boolean
  /** Also shows diagnoses, goals, vocabulary and insurance. */
  readonly isWhole?: boolean
}

export function ClientFields({ fields, wrong, onChange, autoFocus = false, isWhole = false }: ClientFieldsProps) {
  const bind = (key: keyof ClientFormFields) => ({
    value: fields[key],
    onChange: (value: string) => onChange({ ...fields, [key]: value }),
    error: wrong[key],
    maxLength: 200,
  })
  return (
    <>
      <TextField {...bind('display_name')} label={words.name} help={words.nameHelp} autoFocus={autoFocus} />
      <div className="ui-form-pair">
        <TextField {...bind('given_name')} label={words.called} help={words.calledHelp} />
        <TextField {...bind('pronouns')} label={words.pronouns} help={words.pronounsHelp} />
      </div>
      <div className="ui-form-pair">
        <DateField
          label={words.born}
          value={fields.date_of_birth}
          onChange={(date_of_birth) => onChange({ ...fields, date_of_birth })}
          error={wrong.date_of_birth}
        />
        <TextField {...bind('phone')} label={words.phone} type="tel" />
      </div>
      <TextField {...bind('email')} label={words.email} type="email" />
      {isWhole &&
        (['diagnoses', 'goals', 'vocabulary'] as const).map((key) => (
          <TextField
            key={key}
            {...bind(key)}
            maxLength={4000}
            label={words[key]}
            help={words[`${key}Help`]}
            isMultiline
            rows={3}
          />
        ))}
      {isWhole && <InsuranceCard fields={fields} wrong={wrong} onChange={onChange} />}
    </>
  )
}

const relationships = (['self', 'spouse', 'child', 'other'] as const).map((value) => ({
  value,
  label: words.relationships[value],
}))

function InsuranceCard({ fields, wrong, onChange }: Pick<ClientFieldsProps, 'fields' | 'wrong' | 'onChange'>) {
  const bind = (key: 'family_name' | 'payer_name' | 'payer_id' | 'member_id' | 'group_number') => ({
    value: fields[key],
    onChange: (value: string) => onChange({ ...fields, [key]: value }),
    error: wrong[key],
    maxLength: 200,
  })
  return (
    <fieldset className="client-card ui-form">
      <legend>{words.card}</legend>
      <p className="caption">{words.cardHelp}</p>
      <div className="ui-form-pair">
        <TextField {...bind('payer_name')} label={words.payerName} />
        <TextField {...bind('payer_id')} label={words.payerId} help={words.payerIdHelp} />
      </div>
      <div className="ui-form-pair">
        <TextField {...bind('member_id')} label={words.memberId} />
        <TextField {...bind('group_number')} label={words.groupNumber} />
      </div>
      <div className="ui-form-pair">
        <TextField {...bind('family_name')} label={words.familyName} help={words.familyNameHelp} />
        <SelectField
          label={words.relationship}
          options={relationships}
          value={fields.relationship}
          onChange={(relationship) => onChange({ ...fields, relationship })}
        />
      </div>
    </fieldset>
  )
}
