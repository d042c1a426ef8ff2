import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Client } from '#contract/model/client.ts'
import type { Authorisation } from '#contract/model/payer.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { authorisationStrings as words } from '#renderer/strings/coverage.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { formatFullDate, localDateValue } from '#renderer/strings/time.ts'
import { ApprovalDialog } from './coverage-approval-dialog.tsx'
import { localDay } from './coverage-reading.ts'

interface CoverageApprovalsProps {
  readonly client: Client
  readonly name: string
  readonly authorisations: readonly Authorisation[]
}

/** What the payer gave leave for: how much of it is used, and until when it holds. */
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
        <p className="coverage-approval-number">{words.number(number)}</p>
        <p>
          {visits_approved === null ? words.usedAlone(visits_used) : words.used(visits_used, visits_approved)}
          {' · '}
          {words.from(day(starts_on), ends_on === null ? null : day(ends_on))}
          {cpt_codes.length > 0 && ` · ${words.codes(cpt_codes.join(', '))}`}
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
  return visits_left === null ? null : <Chip tone={visits_left <= 2 ? 'needs' : 'kept'}>{words.left(visits_left)}</Chip>
}
