import { useState, type FormEvent } from 'react'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { authorisationStrings } from '#renderer/strings/coverage.ts'
import { DateField } from '#renderer/ui/date-field.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { type ApprovalFields, draftOf, emptyApproval, wrongApproval } from './coverage-approval-form.ts'

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
