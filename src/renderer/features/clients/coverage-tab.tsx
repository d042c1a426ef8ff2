import { PhoneCall, RefreshCw } from 'lucide-react'
import type { ClientCoverage as Coverage } from '#contract/bridge/clients.ts'
import type { Client } from '#contract/model/client.ts'
import { samplePayerId } from '#contract/model/payer.ts'
import { useName } from '#renderer/lib/names.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { useForm, wrongOf } from '#renderer/lib/use-form.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { coverageStrings as words, coverageStrings } from '#renderer/strings/coverage.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Answer, Empty, Notice, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import { localDateValue } from '#renderer/lib/local-values.ts'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { DateField } from '#renderer/ui/date-field.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { CoverageAnswer, CoverageHead } from './coverage-answer.tsx'
import { CoverageApprovals } from './coverage-approvals.tsx'
import { CoverageChecks, type Checking, useCoverageCheck } from './coverage-checks.tsx'
import { shownOf } from './coverage-lines.ts'
import './coverage.css'

const holder = coverageStrings.holder

type CoverageTabProps = Readonly<{ client: Client; onDetails: () => void }>

export function ClientCoverage({ client, onDetails }: CoverageTabProps) {
  const found = useCall('coverage.get', { client_id: client.id })
  if (found.error || !found.data)
    return (
      <div className="client-panel">
        <Answer of={found} loading={words.loading} />
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
  const ask = canAsk && (
    <Button
      variant="filled"
      icon={RefreshCw}
      busy={checking.isPending && words.asking}
      onPress={checking.start}
      label={shown === null ? words.check : words.again}
    />
  )
  return (
    <div className="coverage">
      <div className="coverage-main">
        {(shown !== null || canAsk) && <CoverageHead said={shown} name={name} ask={ask} />}
        <Before client={client} coverage={coverage} checking={checking} onDetails={onDetails} />
        {shown !== null && <CoverageAnswer said={shown} newest={coverage.checks[0] ?? shown} onDetails={onDetails} />}
        <CoverageApprovals client={client} name={name} authorisations={coverage.authorisations} />
      </div>
      <CoverageChecks client_id={client.id} checks={coverage.checks} shown={shown} name={name} />
      {checking.isAskingHolder && <PlanHolderDialog name={name} client={client} checking={checking} />}
    </div>
  )
}

type BeforeProps = CoverageTabProps & Readonly<{ coverage: Coverage; checking: Checking }>

/** The sandbox answers for sample clients, so they need no gateway to payers. */
const isAskable = ({ insurance }: Client, { gateway }: Coverage): boolean =>
  gateway === null || gateway.ready || insurance?.payer_id.trim().toUpperCase() === samplePayerId

function Before({ client, coverage, checking, onDetails }: BeforeProps) {
  const now = useNow(60_000)
  const { is_old, answered_at } = coverage
  const card = client.insurance
  const canAsk = isAskable(client, coverage)
  return (
    <div className="coverage-before">
      {is_old && <Notice text={words.old({ when: formatDayTime(answered_at, now) })} />}
      {card === null && (
        <Empty title={words.noCard.title}>
          {words.noCard.text}
          <div className="coverage-add">
            <Button variant={canAsk ? 'filled' : 'outlined'} onPress={onDetails} label={words.noCard.add} />
          </div>
        </Empty>
      )}
      {!canAsk && <Notice icon={PhoneCall} title={words.notSetUp.title} text={words.notSetUp.text} />}
      <p className="caption coverage-asking" role="status">
        {checking.isPending && words.askingLong}
      </p>
      <AskingState payer={card?.payer_name ?? ''} checking={checking} onDetails={onDetails} />
    </div>
  )
}

function AskingState({ payer, checking, onDetails }: Pick<BeforeProps, 'checking' | 'onDetails'> & { readonly payer: string }) {
  const { error, isStillAsking, look } = checking
  const lookAgain = <Button onPress={look} label={words.still.look} />
  if (isStillAsking) return <Notice title={words.still.title({ payer })} actions={lookAgain} text={words.still.text} />
  if (error === null || checking.isAskingHolder) return null
  if (error.code === 'validation-failed')
    return (
      <Notice tone="needs" title={words.more} actions={<Button onPress={onDetails} label={words.toDetails} />}>
        {words.moreText}
        {error.fields.map(({ pointer, message }) => (
          <p key={pointer}>{sentence(message)}</p>
        ))}
      </Notice>
    )
  return <Problem code={error.code} onRetry={checking.start} />
}

const sentence = (text: string): string => `${capitalized(text)}${text.endsWith('.') ? '' : '.'}`

type Holder = Record<'given_name' | 'family_name' | 'member_id' | 'date_of_birth', string>

function checkHolder({ date_of_birth: born, ...names }: Holder) {
  const wrong = (text: string): string | false => text.trim() === '' && holder.missing
  return wrongOf({
    given_name: wrong(names.given_name),
    family_name: wrong(names.family_name),
    member_id: wrong(names.member_id),
    date_of_birth: (born === '' || born > localDateValue(new Date())) && holder.bornWrong,
  })
}

/** Payers look up a dependent by the data of the plan holder. */
function PlanHolderDialog({ name, client, checking }: Readonly<{ name: string; client: Client; checking: Checking }>) {
  const { member_id = '', group_number = null } = client.insurance ?? {}
  const { fields, bind, submit } = useForm({ given_name: '', family_name: '', member_id, date_of_birth: '' }, checkHolder)
  const ask = (): void =>
    checking.ask({
      given_name: fields.given_name.trim(),
      family_name: fields.family_name.trim(),
      member_id: fields.member_id.trim(),
      date_of_birth: fields.date_of_birth,
      group_number,
    })
  return (
    <FormDialog
      title={holder.title({ name })}
      lead={holder.lead}
      onClose={checking.cancel}
      cancel={holder.cancel}
      submit={holder.ask}
      onSubmit={submit(ask)}
    >
      <div className="ui-form-pair">
        <TextField {...bind('given_name')} label={holder.given} maxLength={80} autoFocus />
        <TextField {...bind('family_name')} label={holder.family} maxLength={80} />
      </div>
      <div className="ui-form-pair">
        <TextField {...bind('member_id')} label={holder.memberId} maxLength={80} />
        <DateField {...bind('date_of_birth')} label={holder.born} />
      </div>
    </FormDialog>
  )
}
