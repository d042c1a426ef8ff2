import { ArrowLeft, History } from 'lucide-react'
import { useState } from 'react'
import type { Conflict } from '#contract/bridge/conflicts.ts'
import { useName } from '#renderer/app/names.ts'
import { navigate } from '#renderer/app/navigation.ts'
import { useNow } from '#renderer/app/use-now.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { conflictLead, conflictStrings, conflictTitle } from '#renderer/strings/conflicts.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Empty, Loading, Notice, Page, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/ui/time.ts'
import {
  BookingQuestion,
  choiceOf,
  type Chosen,
  DocumentQuestion,
  ErasedQuestion,
  FieldQuestions,
} from './conflict-questions.tsx'
import './conflicts.css'

const leave = (): void => navigate('/outbox')

/** Both versions of one record, side by side; nothing is chosen before somebody has. */
export function ConflictPage({ id }: { readonly id: string }) {
  const list = useCall('conflicts.list', {})
  const decided = useCall('conflicts.list', { decided: true })
  const conflict = list.data?.find((one) => one.id === id)
  if (conflict !== undefined) return <Question conflict={conflict} />
  const before = decided.data?.find((one) => one.id === id)
  if (before !== undefined) return <Decided conflict={before} />
  const isPending = list.isPending || decided.isPending
  return (
    <Page title={conflictStrings.group}>
      {isPending && <Loading>{conflictStrings.loading}</Loading>}
      {list.error && <Problem code={list.error.code} onRetry={() => void list.refetch()} />}
      {!isPending && <Empty title={conflictStrings.gone.title}>{conflictStrings.gone.text}</Empty>}
      {!isPending && <Back />}
    </Page>
  )
}

function Back() {
  return (
    <p className="conflict-back">
      <LinkButton icon={ArrowLeft} onPress={leave}>
        {conflictStrings.back}
      </LinkButton>
    </p>
  )
}

/** Both versions as they were; what was not chosen can still be read. */
function Decided({ conflict }: { readonly conflict: Conflict }) {
  const nameOf = useName()
  const now = useNow(60_000)
  const name = conflict.client_name === null ? null : nameOf(conflict.client_name)
  const lead = conflictStrings.decidedLead(formatDayTime(conflict.decided_at ?? conflict.found_at, now))
  return (
    <Page className="conflict-page" title={conflictTitle(conflict, name)} lead={lead}>
      <div className="conflict">
        <Asked conflict={conflict} chosen={conflict.decided} onChoose={() => {}} />
      </div>
      <div className="conflict-bar">
        <Button onPress={leave}>{conflictStrings.backToOutbox}</Button>
      </div>
    </Page>
  )
}

function Question({ conflict }: { readonly conflict: Conflict }) {
  const nameOf = useName()
  const [answer, setAnswer] = useState<{ version: number; chosen: Chosen }>({ version: conflict.version, chosen: {} })
  const resolve = useAction('conflicts.resolve')
  // What was chosen was chosen of what was seen.
  const isNew = answer.version !== conflict.version
  const chosen = isNew ? {} : answer.chosen
  const choice = choiceOf(conflict, chosen)
  const submit = (): void => {
    const { id, version } = conflict
    if (choice !== null) resolve.mutate({ id, version, choice }, { onSuccess: leave })
  }
  const name = conflict.client_name === null ? null : nameOf(conflict.client_name)
  const hasMany = conflict.kind === 'fields' && conflict.fields.length > 1
  return (
    <Page className="conflict-page" title={conflictTitle(conflict, name)} lead={conflictLead(conflict)}>
      <div className="conflict">
        {isNew && <Notice tone="needs">{conflictStrings.changed}</Notice>}
        {resolve.error && resolve.error.code !== 'stale-version' && <Problem code={resolve.error.code} />}
        <Asked conflict={conflict} chosen={chosen} onChoose={(next) => setAnswer({ version: conflict.version, chosen: next })} />
        {(conflict.kind === 'fields' || conflict.kind === 'document') && (
          <Notice icon={History}>{conflictStrings.history}</Notice>
        )}
      </div>
      <div className="conflict-bar">
        <Button onPress={leave}>{conflictStrings.later}</Button>
        <Button
          variant="filled"
          isDisabled={choice === null}
          reason={hasMany ? conflictStrings.chooseEach : conflictStrings.chooseFirst}
          busy={resolve.isPending ? conflictStrings.using : undefined}
          onPress={submit}
        >
          {conflictStrings.use[conflict.kind]}
        </Button>
      </div>
    </Page>
  )
}

interface AskedProps {
  readonly conflict: Conflict
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
}

function Asked({ conflict, ...rest }: AskedProps) {
  const now = useNow(60_000)
  switch (conflict.kind) {
    case 'fields':
      return <FieldQuestions conflict={conflict} now={now} {...rest} />
    case 'document':
      return <DocumentQuestion conflict={conflict} now={now} {...rest} />
    case 'erased':
      return <ErasedQuestion conflict={conflict} now={now} {...rest} />
    case 'booking':
      return <BookingQuestion conflict={conflict} now={now} {...rest} />
  }
}
