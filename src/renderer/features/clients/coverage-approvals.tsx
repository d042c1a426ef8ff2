import { Plus } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { Client } from '#contract/model/client.ts'
import type { Authorisation } from '#contract/model/payer.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { authorisationStrings as words, authorisationStrings } from '#renderer/strings/coverage.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { formatFullDate } from '#renderer/strings/time.ts'
import { localDateValue } from '#renderer/lib/local-values.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { DateField } from '#renderer/ui/date-field.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { localDay, type ApprovalFields, draftOf, emptyApproval, wrongApproval } from './coverage-lines.ts'

interface CoverageApprovalsProps {
  readonly client: Client
  readonly name: string
  readonly authorisations: readonly Authorisation[]
}

export function CoverageApprovals({ client, name, authorisations }: CoverageApprovalsProps) {
  const [isAdding, setAdding] = useState(false)
  const newest = authorisations.toSorted((one, other) => other.starts_on.localeCompare(one.starts_on))
  return (
    <section>
      <div className="coverage-lines-head">
        <h2>{words.title}</h2>
        {client.insurance !== null && (
          <Button size="row" icon={Plus} onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )}
      </div>
      {newest.length === 0 && <p className="coverage-none">{words.none}</p>}
      <ul className="coverage-approvals">
        {newest.map((authorisation) => (
          <Approval key={authorisation.id} authorisation={authorisation} />
        ))}
      </ul>
      {isAdding && client.insurance !== null && (
        <ApprovalDialog clientId={client.id} payerId={client.insurance.payer_id} name={name} onClose={() => setAdding(false)} />
      )}
    </section>
  )
}

function Approval({ authorisation }: { readonly authorisation: Authorisation }) {
  const { number, visits_approved, visits_used, starts_on, ends_on, cpt_codes } = authorisation
  const today = localDateValue(useNow(60_000))
  const day = (date: string): string => formatFullDate(localDay(date))
  return (
    <li>
      <div className="coverage-approval-words">
        <p className="coverage-approval-number">{words.number({ number })}</p>
        <p>
          {visits_approved === null
            ? words.usedAlone({ used: visits_used })
            : words.used({ used: visits_used, approved: visits_approved })}
          {' · '}
          {words.from({ from: day(starts_on), to: ends_on === null ? null : day(ends_on) })}
          {cpt_codes.length > 0 && ` · ${words.codes({ codes: cpt_codes.join(', ') })}`}
        </p>
      </div>
      <State authorisation={authorisation} today={today} />
    </li>
  )
}

function State({ authorisation, today }: { readonly authorisation: Authorisation; readonly today: string }) {
  const { cancelled, visits_left, starts_on, ends_on } = authorisation
  if (cancelled) return <Chip tone="stopped">{words.cancelled}</Chip>
  if (ends_on !== null && ends_on < today) return <Chip>{words.over}</Chip>
  if (starts_on > today) return <Chip>{words.ahead}</Chip>
  if (visits_left === 0) return <Chip tone="needs">{words.noneLeft}</Chip>
  return visits_left === null ? null : <Chip tone={visits_left <= 2 ? 'needs' : 'kept'}>{words.left({ left: visits_left })}</Chip>
}

const coverageApprovalWords = authorisationStrings.dialog

interface ApprovalDialogProps {
  readonly clientId: string
  readonly payerId: string
  readonly name: string
  readonly onClose: () => void
}

function ApprovalDialog({ clientId, payerId, name, onClose }: ApprovalDialogProps) {
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
    toast({ text: coverageApprovalWords.saved })
    onClose()
  }
  return (
    <FormDialog
      title={coverageApprovalWords.title({ name })}
      onClose={onClose}
      cancel={coverageApprovalWords.cancel}
      submit={coverageApprovalWords.save}
      busy={add.isPending ? coverageApprovalWords.saving : undefined}
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
      <TextField
        {...bind('number')}
        label={coverageApprovalWords.number}
        help={coverageApprovalWords.numberHelp}
        maxLength={80}
        autoFocus
      />
      <div className="ui-form-pair">
        <DateField {...bind('starts_on')} label={coverageApprovalWords.starts} />
        <DateField {...bind('ends_on')} label={coverageApprovalWords.ends} />
      </div>
      <div className="ui-form-pair">
        <TextField
          {...bind('visits_approved')}
          label={coverageApprovalWords.approved}
          help={coverageApprovalWords.approvedHelp}
          type="number"
        />
        <TextField
          {...bind('visits_used_before')}
          label={coverageApprovalWords.before}
          help={coverageApprovalWords.beforeHelp}
          type="number"
        />
      </div>
      <TextField
        {...bind('cpt_codes')}
        label={coverageApprovalWords.codes}
        help={coverageApprovalWords.codesHelp}
        maxLength={300}
      />
    </>
  )
}
