import { useState, type FormEvent } from 'react'
import type { Client } from '#contract/model/client.ts'
import { coverageStrings } from '#renderer/strings/coverage.ts'
import { DateField } from '#renderer/ui/date-field.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { localDateValue } from '#renderer/strings/time.ts'
import type { Checking } from './coverage-check.ts'

const words = coverageStrings.holder

interface PlanHolderDialogProps {
  readonly name: string
  readonly client: Client
  readonly checking: Checking
}

/** Whose plan it is; the payer looks a person up by its holder. */
export function PlanHolderDialog({ name, client, checking }: PlanHolderDialogProps) {
  const [fields, setFields] = useState({ given_name: '', family_name: '', member_id: client.insurance?.member_id ?? '' })
  const [born, setBorn] = useState('')
  const [isChecked, setChecked] = useState(false)
  const isBornRight = born !== '' && born <= localDateValue(new Date())
  const bind = (key: keyof typeof fields) => ({
    value: fields[key],
    onChange: (value: string) => setFields({ ...fields, [key]: value }),
    error: isChecked && fields[key].trim() === '' ? words.missing : undefined,
    maxLength: 80,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setChecked(true)
    if (!isBornRight || Object.values(fields).some((value) => value.trim() === '')) return
    const { given_name, family_name, member_id } = fields
    checking.ask({
      given_name: given_name.trim(),
      family_name: family_name.trim(),
      member_id: member_id.trim(),
      date_of_birth: born,
      group_number: client.insurance?.group_number ?? null,
    })
  }
  return (
    <FormDialog
      title={words.title(name)}
      lead={words.lead}
      onClose={checking.cancel}
      cancel={words.cancel}
      submit={words.ask}
      onSubmit={submit}
    >
      <div className="ui-form-pair">
        <TextField {...bind('given_name')} label={words.given} autoFocus />
        <TextField {...bind('family_name')} label={words.family} />
      </div>
      <div className="ui-form-pair">
        <TextField {...bind('member_id')} label={words.memberId} />
        <DateField
          label={words.born}
          value={born}
          onChange={setBorn}
          error={isChecked && !isBornRight ? words.bornWrong : undefined}
        />
      </div>
    </FormDialog>
  )
}
