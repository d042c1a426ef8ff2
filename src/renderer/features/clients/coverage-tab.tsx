import { PhoneCall, RefreshCw } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { ClientCoverage as Coverage } from '#contract/bridge/clients.ts'
import type { Client } from '#contract/model/client.ts'
import { samplePayerId } from '#contract/model/payer.ts'
import { useName } from '#renderer/lib/names.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { coverageStrings as words, coverageStrings } from '#renderer/strings/coverage.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import { localDateValue } from '#renderer/lib/local-values.ts'
import { DateField } from '#renderer/ui/date-field.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { CoverageAnswer, CoverageHead } from './coverage-answer.tsx'
import { CoverageApprovals } from './coverage-approvals.tsx'
import { CoverageChecks, type Checking, useCoverageCheck } from './coverage-checks.tsx'
import { shownOf } from './coverage-lines.ts'
import './coverage.css'

interface CoverageTabProps {
  readonly client: Client
  readonly onDetails: () => void
}

export function ClientCoverage({ client, onDetails }: CoverageTabProps) {
  const found = useCall('coverage.get', { client_id: client.id })
  if (found.error)
    return (
      <div className="client-panel">
        <Problem code={found.error.code} onRetry={() => void found.refetch()} />
      </div>
    )
  if (!found.data)
    return (
      <div className="client-panel">
        <Loading>{words.loading}</Loading>
      </div>
    )
  return <Body client={client} coverage={found.data} onDetails={onDetails} />
}

function Body({ client, coverage, onDetails }: CoverageTabProps & { readonly coverage: Coverage }) {
  const nameOf = useName()
  const checking = useCoverageCheck(client, coverage)
  const name = nameOf(client.given_name ?? client.display_name)
  const shown = shownOf(coverage.checks)
  const canAsk = client.insurance !== null && isAskable(client, coverage)
  const ask = canAsk && <CheckButton checking={checking} isFirst={shown === null} />
  return (
    <div className="coverage">
      <div className="coverage-main">
        {shown === null ? canAsk && <NothingYet name={name} ask={ask} /> : <CoverageHead said={shown} name={name} ask={ask} />}
        <Before client={client} coverage={coverage} checking={checking} onDetails={onDetails} />
        {shown !== null && <CoverageAnswer said={shown} newest={coverage.checks[0] ?? shown} onDetails={onDetails} />}
        <CoverageApprovals client={client} name={name} authorisations={coverage.authorisations} />
      </div>
      <CoverageChecks checks={coverage.checks} shown={shown} name={name} />
      {checking.isAskingHolder && <PlanHolderDialog name={name} client={client} checking={checking} />}
    </div>
  )
}

interface BeforeProps extends CoverageTabProps {
  readonly coverage: Coverage
  readonly checking: Checking
}

/** The sandbox answers for sample clients, so they need no gateway to payers. */
function isAskable({ insurance }: Client, { gateway }: Coverage): boolean {
  return gateway === null || gateway.ready || insurance?.payer_id.trim().toUpperCase() === samplePayerId
}

function NothingYet({ name, ask }: { readonly name: string; readonly ask: React.ReactNode }) {
  return (
    <div className="coverage-head">
      <div>
        <h2 className="coverage-headline">{words.nothingYet.headline({ name })}</h2>
        <p className="coverage-lead">{words.nothingYet.text}</p>
      </div>
      {ask}
    </div>
  )
}

function CheckButton({ checking, isFirst }: { readonly checking: Checking; readonly isFirst: boolean }) {
  return (
    <Button variant="filled" icon={RefreshCw} busy={checking.isPending ? words.asking : undefined} onPress={checking.start}>
      {isFirst ? words.check : words.again}
    </Button>
  )
}

function Before({ client, coverage, checking, onDetails }: BeforeProps) {
  const now = useNow(60_000)
  const { is_old, answered_at } = coverage
  const card = client.insurance
  const canAsk = isAskable(client, coverage)
  return (
    <div className="coverage-before">
      {is_old && <Notice>{words.old({ when: formatDayTime(answered_at, now) })}</Notice>}
      {card === null && <NoCard onDetails={onDetails} isPrimary={canAsk} />}
      {!canAsk && (
        <Notice icon={PhoneCall} title={words.notSetUp.title}>
          {words.notSetUp.text}
        </Notice>
      )}
      <p className="caption coverage-asking" role="status">
        {checking.isPending && words.askingLong}
      </p>
      <AskingState payer={card?.payer_name ?? ''} checking={checking} onDetails={onDetails} />
    </div>
  )
}

function NoCard({ onDetails, isPrimary }: { readonly onDetails: () => void; readonly isPrimary: boolean }) {
  return (
    <Empty title={words.noCard.title}>
      {words.noCard.text}
      <div className="coverage-add">
        <Button variant={isPrimary ? 'filled' : 'outlined'} onPress={onDetails}>
          {words.noCard.add}
        </Button>
      </div>
    </Empty>
  )
}

function AskingState({ payer, checking, onDetails }: Pick<BeforeProps, 'checking' | 'onDetails'> & { readonly payer: string }) {
  const { error, isStillAsking, look } = checking
  if (isStillAsking)
    return (
      <Notice title={words.still.title({ payer })} actions={<Button onPress={look}>{words.still.look}</Button>}>
        {words.still.text}
      </Notice>
    )
  if (error === null || checking.isAskingHolder) return null
  if (error.code === 'validation-failed')
    return (
      <Notice tone="needs" title={words.more} actions={<Button onPress={onDetails}>{words.toDetails}</Button>}>
        {words.moreText}
        {error.fields.map(({ pointer, message }) => (
          <p key={pointer}>{sentence(message)}</p>
        ))}
      </Notice>
    )
  return <Problem code={error.code} onRetry={checking.start} />
}

const sentence = (text: string): string => `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`

const coverageHolderWords = coverageStrings.holder

interface PlanHolderDialogProps {
  readonly name: string
  readonly client: Client
  readonly checking: Checking
}

/** Payers find a dependent only by the data of the person who holds the plan. */
function PlanHolderDialog({ name, client, checking }: PlanHolderDialogProps) {
  const [fields, setFields] = useState({ given_name: '', family_name: '', member_id: client.insurance?.member_id ?? '' })
  const [born, setBorn] = useState('')
  const [isChecked, setChecked] = useState(false)
  const isBornRight = born !== '' && born <= localDateValue(new Date())
  const bind = (key: keyof typeof fields) => ({
    value: fields[key],
    onChange: (value: string) => setFields({ ...fields, [key]: value }),
    error: isChecked && fields[key].trim() === '' ? coverageHolderWords.missing : undefined,
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
      title={coverageHolderWords.title({ name })}
      lead={coverageHolderWords.lead}
      onClose={checking.cancel}
      cancel={coverageHolderWords.cancel}
      submit={coverageHolderWords.ask}
      onSubmit={submit}
    >
      <div className="ui-form-pair">
        <TextField {...bind('given_name')} label={coverageHolderWords.given} autoFocus />
        <TextField {...bind('family_name')} label={coverageHolderWords.family} />
      </div>
      <div className="ui-form-pair">
        <TextField {...bind('member_id')} label={coverageHolderWords.memberId} />
        <DateField
          label={coverageHolderWords.born}
          value={born}
          onChange={setBorn}
          error={isChecked && !isBornRight ? coverageHolderWords.bornWrong : undefined}
        />
      </div>
    </FormDialog>
  )
}
