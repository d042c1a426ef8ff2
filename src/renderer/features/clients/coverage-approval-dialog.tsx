import { useState, type FormEvent } from 'react'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { authorisationStrings } from '#renderer/strings/coverage.ts'
import { DateField } from '#renderer/ui/date-field.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import type { AuthorisationDraft } from '#contract/model/payer.ts'

const words = authorisationStrings.dialog

interface ApprovalDialogProps {
  readonly clientId: string
  readonly payerId: string
  readonly name: string
  readonly onClose: () => void
}

export function ApprovalDialog({ clientId, payerId, name, onClose }: ApprovalDialogProps) {
  const toast = useToast()
  const add = useAction('authorisations.add')
  const [fields, setFields] = useState(emptyApproval)
  const [isChecked, setChecked] = useState(false)
  const wrong = wrongApproval(fields)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setChecked(true)
    if (Object.keys(wrong).length > 0 || add.isPending) return
    const added = await add.mutateAsync({ client_id: clientId, payer_id: payerId, ...draftOf(fields) }).catch(() => null)
    if (added === null) return
    void queryClient.invalidateQueries({ queryKey: ['coverage.get', { client_id: clientId }] })
    toast({ text: words.saved })
    onClose()
  }
  return (
    <FormDialog
      title={words.title(name)}
      onClose={onClose}
      cancel={words.cancel}
      submit={words.save}
      busy={add.isPending ? words.saving : undefined}
      onSubmit={submit}
    >
      <ApprovalFieldset fields={fields} onChange={setFields} wrong={isChecked ? wrong : {}} />
      {add.error && <Problem code={add.error.code} />}
    </FormDialog>
  )
}

interface ApprovalFieldsetProps {
  readonly fields: ApprovalFields
  readonly wrong: Partial<Record<keyof ApprovalFields, string>>
  readonly onChange: (fields: ApprovalFields) => void
}

function ApprovalFieldset({ fields, wrong, onChange }: ApprovalFieldsetProps) {
  const bind = (key: keyof ApprovalFields) => ({
    value: fields[key],
    onChange: (value: string) => onChange({ ...fields, [key]: value }),
    error: wrong[key],
  })
  return (
    <>
      <TextField {...bind('number')} label={words.number} help={words.numberHelp} maxLength={80} autoFocus />
      <div className="ui-form-pair">
        <DateField {...bind('starts_on')} label={words.starts} />
        <DateField {...bind('ends_on')} label={words.ends} />
      </div>
      <div className="ui-form-pair">
        <TextField {...bind('visits_approved')} label={words.approved} help={words.approvedHelp} type="number" />
        <TextField {...bind('visits_used_before')} label={words.before} help={words.beforeHelp} type="number" />
      </div>
      <TextField {...bind('cpt_codes')} label={words.codes} help={words.codesHelp} maxLength={300} />
    </>
  )
}

interface ApprovalFields {
  readonly number: string
  readonly visits_approved: string
  readonly visits_used_before: string
  readonly starts_on: string
  readonly ends_on: string
  readonly cpt_codes: string
}

export const emptyApproval: ApprovalFields = {
  number: '',
  visits_approved: '',
  visits_used_before: '',
  starts_on: '',
  ends_on: '',
  cpt_codes: '',
}

export function wrongApproval(fields: ApprovalFields): Partial<Record<keyof ApprovalFields, string>> {
  const { number, visits_approved, visits_used_before, starts_on, ends_on } = fields
  return {
    ...(number.trim() === '' && { number: words.numberMissing }),
    ...(!isCount(visits_approved, 1) && { visits_approved: words.countWrong }),
    ...(!isCount(visits_used_before, 0) && { visits_used_before: words.countWrong }),
    ...(starts_on === '' && { starts_on: words.startsMissing }),
    ...(ends_on !== '' && ends_on < starts_on && { ends_on: words.endsWrong }),
    ...(codesOf(fields).some((code) => !/^[A-Z0-9]{5}$/.test(code)) && { cpt_codes: words.codesWrong }),
  }
}

/** Empty is no number, which is right. */
function isCount(text: string, least: number): boolean {
  if (text.trim() === '') return true
  return /^\d{1,5}$/.test(text.trim()) && Number(text) >= least && Number(text) <= 10_000
}

/** Only of fields in which nothing is wrong. */
export function draftOf(fields: ApprovalFields): Omit<AuthorisationDraft, 'client_id' | 'payer_id'> {
  const { number, visits_approved, visits_used_before, starts_on, ends_on } = fields
  return {
    number: number.trim(),
    visits_approved: visits_approved.trim() === '' ? null : Number(visits_approved),
    visits_used_before: Number(visits_used_before),
    starts_on,
    ends_on: ends_on === '' ? null : ends_on,
    cpt_codes: codesOf(fields),
    cancelled: false,
  }
}

const codesOf = ({ cpt_codes }: ApprovalFields): string[] =>
  cpt_codes
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
