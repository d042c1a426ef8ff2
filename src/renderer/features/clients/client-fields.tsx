import { clientsStrings } from '#renderer/strings/clients.ts'
import { DateField } from '#renderer/ui/date-field.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import type { ClientFormFields, WrongFields } from './client-form.ts'
import '#renderer/ui/form.css'

const words = clientsStrings.form

interface ClientFieldsProps {
  readonly fields: ClientFormFields
  readonly wrong: WrongFields
  readonly onChange: (fields: ClientFormFields) => void
  readonly autoFocus?: boolean
  /** With what is told about the treatment, too. */
  readonly isWhole?: boolean
}

export function ClientFields({ fields, wrong, onChange, autoFocus = false, isWhole = false }: ClientFieldsProps) {
  const bind = (key: keyof ClientFormFields) => ({
    value: fields[key],
    onChange: (value: string) => onChange({ ...fields, [key]: value }),
    error: wrong[key],
    autoComplete: 'off',
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
    </>
  )
}
