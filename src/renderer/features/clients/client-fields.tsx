import type { ReactNode } from 'react'
import { optionsOf } from '#renderer/lib/text.ts'
import type { Form } from '#renderer/lib/use-form.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { DateField } from '#renderer/ui/date-field.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import type { ClientFormFields } from './client-form.ts'
import '#renderer/ui/form.css'

const words = clientsStrings.form

type ClientFieldsProps = Readonly<{ form: Form<ClientFormFields>; autoFocus?: boolean; isWhole?: boolean; children?: ReactNode }>

export function ClientFields({ form, autoFocus = false, isWhole = false, children }: ClientFieldsProps) {
  const bind = (name: Exclude<keyof ClientFormFields, 'relationship'>) => ({ ...form.bind(name), maxLength: 200 })
  return (
    <>
      <TextField {...bind('display_name')} label={words.name} help={words.nameHelp} autoFocus={autoFocus} />
      <div className="ui-form-pair">
        <TextField {...bind('given_name')} label={words.called} help={words.calledHelp} />
        <TextField {...bind('pronouns')} label={words.pronouns} help={words.pronounsHelp} />
      </div>
      <div className="ui-form-pair">
        <DateField {...form.bind('date_of_birth')} label={words.born} />
        <TextField {...bind('phone')} label={words.phone} type="tel" />
      </div>
      <TextField {...bind('email')} label={words.email} type="email" />
      {children}
      {isWhole && (
        <>
          {(['diagnoses', 'goals', 'vocabulary'] as const).map((key) => (
            <TextField {...bind(key)} key={key} maxLength={4000} label={words[key]} help={words[`${key}Help`]} isMultiline />
          ))}
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
              <SelectField {...form.pick('relationship')} label={words.relationship} options={optionsOf(words.relationships)} />
            </div>
          </fieldset>
        </>
      )}
    </>
  )
}
