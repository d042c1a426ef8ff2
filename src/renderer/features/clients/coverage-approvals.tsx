import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Client } from '#contract/model/client.ts'
import type { Authorisation } from '#contract/model/payer.ts'
import { useForm } from '#renderer/lib/use-form.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { authorisationStrings as words, authorisationStrings } from '#renderer/strings/coverage.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { formatFullDate } from '#renderer/strings/time.ts'
import { localDateValue } from '#renderer/lib/local-values.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { DateField } from '#renderer/ui/date-field.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { localDay, draftOf, emptyApproval, wrongApproval } from './coverage-lines.ts'

const dialog = authorisationStrings.dialog

type CoverageApprovalsProps = Readonly<{ client: Client; name: string; authorisations: readonly Authorisation[] }>

export function CoverageApprovals({ client, name, authorisations }: CoverageApprovalsProps) {
  const [isAdding, setAdding] = useState(false)
  const newest = authorisations.toSorted((one, other) => other.starts_on.localeCompare(one.starts_on))
  return (
    <section>
      <div className="coverage-lines-head">
        <h2>{words.title}</h2>
        {client.insurance !== null && <Button size="row" icon={Plus} onPress={() => setAdding(true)} label={words.add} />}
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
      <State {...authorisation} today={today} />
    </li>
  )
}

function State({ cancelled, visits_left, starts_on, ends_on, today }: Authorisation & { readonly today: string }) {
  if (cancelled) return <Chip tone="stopped">{words.cancelled}</Chip>
  if (ends_on !== null && ends_on < today) return <Chip>{words.over}</Chip>
  if (starts_on > today) return <Chip>{words.ahead}</Chip>
  if (visits_left === 0) return <Chip tone="needs">{words.noneLeft}</Chip>
  return visits_left === null ? null : <Chip tone={visits_left <= 2 ? 'needs' : 'kept'}>{words.left({ left: visits_left })}</Chip>
}

type ApprovalDialogProps = Readonly<{ clientId: string; payerId: string; name: string; onClose: () => void }>

function ApprovalDialog({ clientId, payerId, name, onClose }: ApprovalDialogProps) {
  const toast = useToast()
  const add = useAction('authorisations.add', () => {
    void queryClient.invalidateQueries({ queryKey: ['coverage.get', { client_id: clientId }] })
    toast({ text: dialog.saved })
    onClose()
  })
  const { fields, bind, submit } = useForm(emptyApproval, wrongApproval)
  const send = (): void => {
    if (!add.isPending) add.mutate({ client_id: clientId, payer_id: payerId, ...draftOf(fields) })
  }
  return (
    <FormDialog
      title={dialog.title({ name })}
      onClose={onClose}
      cancel={dialog.cancel}
      submit={dialog.save}
      busy={add.isPending && dialog.saving}
      onSubmit={submit(send)}
    >
      <TextField {...bind('number')} label={dialog.number} help={dialog.numberHelp} maxLength={80} autoFocus />
      <div className="ui-form-pair">
        <DateField {...bind('starts_on')} label={dialog.starts} />
        <DateField {...bind('ends_on')} label={dialog.ends} />
      </div>
      <div className="ui-form-pair">
        <TextField {...bind('visits_approved')} label={dialog.approved} help={dialog.approvedHelp} type="number" />
        <TextField {...bind('visits_used_before')} label={dialog.before} help={dialog.beforeHelp} type="number" />
      </div>
      <TextField {...bind('cpt_codes')} label={dialog.codes} help={dialog.codesHelp} maxLength={300} />
      {add.error && <Problem code={add.error.code} />}
    </FormDialog>
  )
}
