import { PhoneCall, RefreshCw } from 'lucide-react'
import type { ClientCoverage as Coverage } from '#contract/bridge/coverage.ts'
import type { Client } from '#contract/model/client.ts'
import { samplePayerId } from '#contract/model/payer.ts'
import { useName } from '#renderer/app/names.ts'
import { useNow } from '#renderer/app/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { coverageStrings as words } from '#renderer/strings/coverage.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/ui/time.ts'
import { CoverageAnswer } from './coverage-answer.tsx'
import { CoverageApprovals } from './coverage-approvals.tsx'
import { CoverageChecks } from './coverage-checks.tsx'
import { PlanHolderDialog } from './coverage-holder-dialog.tsx'
import { shownOf } from './coverage-reading.ts'
import { type Checking, useCoverageCheck } from './coverage-check.ts'
import './coverage.css'

interface CoverageTabProps {
  readonly client: Client
  readonly onDetails: () => void
}

/** What the payer said of this person's cover, and when; asked again at a press. */
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
  return (
    <div className="coverage">
      <div className="coverage-main">
        <Before client={client} coverage={coverage} checking={checking} onDetails={onDetails} />
        {shown !== null && <CoverageAnswer said={shown} newest={coverage.checks[0] ?? shown} name={name} />}
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

/** The way to ask, or why nobody can be asked; and how the asking stands. */
function Before({ client, coverage, checking, onDetails }: BeforeProps) {
  const nameOf = useName()
  const now = useNow(60_000)
  const { gateway, is_old, answered_at, checks } = coverage
  const card = client.insurance
  const isSample = card?.payer_id.trim().toUpperCase() === samplePayerId
  const canAsk = gateway === null || gateway.ready || isSample
  return (
    <div className="coverage-before">
      {is_old && <Notice>{words.old(formatDayTime(answered_at, now))}</Notice>}
      {card === null && <NoCard onDetails={onDetails} isPrimary={canAsk} />}
      {!canAsk && (
        <Notice icon={PhoneCall} title={words.notSetUp.title}>
          {words.notSetUp.text}
        </Notice>
      )}
      {card !== null && canAsk && (
        <div className="coverage-ask">
          {checks.length === 0 && (
            <div>
              <h2 className="coverage-headline">{words.nothingYet.headline(nameOf(client.given_name ?? client.display_name))}</h2>
              <p className="coverage-lead">{words.nothingYet.text}</p>
            </div>
          )}
          <Button variant="filled" icon={RefreshCw} busy={checking.isPending ? words.asking : undefined} onPress={checking.start}>
            {checks.length === 0 ? words.check : words.again}
          </Button>
          <p className="caption" role="status">
            {checking.isPending && words.askingLong}
          </p>
        </div>
      )}
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
      <Notice title={words.still.title(payer)} actions={<Button onPress={look}>{words.still.look}</Button>}>
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
