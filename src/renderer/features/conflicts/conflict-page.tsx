import { ArrowLeft, CalendarX, Eraser, GitCompareArrows, History } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Conflict } from '#contract/bridge/conflicts.ts'
import { useName } from '#renderer/lib/names.ts'
import { conflictPath, navigate } from '#renderer/lib/routes.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import {
  conflictLead,
  conflictLine,
  conflictStrings,
  conflictTitle,
  erasedStrings,
  togetherStrings,
  whoWords,
} from '#renderer/strings/conflicts.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Empty, Loading, Notice, Page, Problem, Section } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import {
  type Ask,
  BookingQuestion,
  choiceOf,
  type Chosen,
  DocumentQuestion,
  ErasedQuestion,
  FieldQuestions,
  isTogether,
  onlyChoice,
  sideOf,
  wholeOf,
  mayWriteTogether,
  useTogether,
} from './conflict-questions.tsx'
import { writtenSections } from './together.ts'
import { WriteTogether } from './write-together.tsx'
import './conflicts.css'

const leave = (): void => navigate('/sync')

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
      {!isPending && (
        <>
          <Empty title={conflictStrings.gone.title}>{conflictStrings.gone.text}</Empty>
          <p className="conflict-back">
            <LinkButton icon={ArrowLeft} onPress={leave} label={conflictStrings.back} />
          </p>
        </>
      )}
    </Page>
  )
}

function Decided({ conflict }: { readonly conflict: Conflict }) {
  const nameOf = useName()
  const now = useNow(60_000)
  const who = useCall('conflicts.who', { id: conflict.id }).data
  const name = conflict.client_name === null ? null : nameOf(conflict.client_name)
  const at = formatDayTime(conflict.decided_at ?? conflict.found_at, now)
  const written = conflict.kind === 'document' ? conflict.written : undefined
  const lead = written === undefined ? conflictStrings.decidedLead({ when: at }) : togetherStrings.decided({ when: at })
  return (
    <Page className="conflict-page" title={conflictTitle(conflict, name)} lead={lead}>
      <div className="conflict">
        <Asked conflict={conflict} who={whoWords(who)} chosen={conflict.decided} onChoose={() => {}} />
        {written !== undefined && (
          <Section className="conflict-written" title={togetherStrings.written}>
            {written.map(
              ({ key, title, statements }) =>
                statements.length > 0 && (
                  <p key={key} className="conflict-part">
                    <span className="conflict-part-title">{title}</span>
                    <span className="conflict-words">{statements.map(({ text }) => text).join(' ')}</span>
                  </p>
                ),
            )}
          </Section>
        )}
      </div>
      <div className="conflict-bar">
        <Button onPress={leave} label={conflictStrings.backToSync} />
      </div>
    </Page>
  )
}

function Question({ conflict }: { readonly conflict: Conflict }) {
  const nameOf = useName()
  const [answer, setAnswer] = useState<{ version: number; chosen: Chosen }>({ version: conflict.version, chosen: {} })
  const resolve = useAction('conflicts.resolve')
  const who = useCall('conflicts.who', { id: conflict.id }).data
  // A choice applies only to the version the therapist saw.
  const isNew = answer.version !== conflict.version
  const chosen = onlyChoice(conflict) ?? (isNew ? {} : answer.chosen)
  const choose = (next: Chosen): void => setAnswer({ version: conflict.version, chosen: next })
  const writing = useTogether(conflict)
  const sections = writing === null ? null : writtenSections(writing.together, () => crypto.randomUUID())
  const written = writing === null || sections === null ? null : { from: writing.together.from, sections }
  const choice = choiceOf(conflict, chosen, written)
  const submit = (): void => {
    const { id, version } = conflict
    if (choice === null) return
    const onSuccess = (): void => {
      writing?.forget()
      leave()
    }
    resolve.mutate({ id, version, choice }, { onSuccess })
  }
  const name = conflict.client_name === null ? null : nameOf(conflict.client_name)
  return (
    <Page className="conflict-page" title={conflictTitle(conflict, name)} lead={conflictLead(conflict, who)}>
      <div className="conflict">
        {isNew && <Notice tone="needs" text={conflictStrings.changed} />}
        {resolve.error && resolve.error.code !== 'stale-version' && <Problem code={resolve.error.code} />}
        <Asked conflict={conflict} who={whoWords(who)} chosen={chosen} onChoose={choose} />
        {isTogether(chosen) && writing !== null && <WriteTogether together={writing.together} onChange={writing.set} />}
        {(conflict.kind === 'fields' || conflict.kind === 'document') && <Notice icon={History} text={conflictStrings.history} />}
      </div>
      <div className="conflict-bar">
        {mayWriteTogether(conflict) && <p className="conflict-bar-words">{conflictStrings.notSigned}</p>}
        <Button onPress={leave} label={conflictStrings.later} />
        <Doing conflict={conflict} chosen={chosen} isBusy={resolve.isPending} onPress={choice === null ? null : submit} />
      </div>
    </Page>
  )
}

type DoingProps = Readonly<{ conflict: Conflict; chosen: Chosen; isBusy: boolean; onPress: (() => void) | null }>

function Doing({ conflict, chosen, isBusy, onPress }: DoingProps) {
  const hasMany = conflict.kind === 'fields' && conflict.fields.length > 1
  const missing = hasMany ? conflictStrings.chooseEach : conflictStrings.chooseFirst
  return (
    <Button
      variant={conflict.kind === 'erased' && wholeOf(chosen) === 'erase' ? 'erasing' : 'filled'}
      isDisabled={onPress === null}
      reason={isTogether(chosen) ? togetherStrings.writeFirst : missing}
      busy={isBusy && conflictStrings.using}
      onPress={() => onPress?.()}
      label={doingOf(conflict, chosen)}
    />
  )
}

function doingOf(conflict: Conflict, chosen: Chosen): string {
  if (onlyChoice(conflict) !== null) return conflictStrings.useSigned
  if (conflict.kind === 'erased' && wholeOf(chosen) !== null)
    return wholeOf(chosen) === 'erase' ? erasedStrings.erase : erasedStrings.keep
  const side = conflict.kind === 'document' ? sideOf(chosen) : null
  return side === null ? conflictStrings.use[conflict.kind] : conflictStrings.useSide[side]
}

function Asked({ conflict, ...rest }: Omit<Ask, 'now'>) {
  const own = { ...rest, now: useNow(60_000) }
  if (conflict.kind === 'fields') return <FieldQuestions conflict={conflict} {...own} />
  if (conflict.kind === 'document') return <DocumentQuestion conflict={conflict} {...own} />
  if (conflict.kind === 'erased') return <ErasedQuestion conflict={conflict} {...own} />
  return <BookingQuestion conflict={conflict} {...own} />
}

function facts(conflict: Conflict, now: Date): string {
  const { session_starts_at, found_at, decided_at } = conflict
  if (decided_at !== null) return conflictStrings.decidedLine({ when: formatDayTime(decided_at, now) })
  const session = session_starts_at === null ? [] : [conflictStrings.ofSession({ when: formatDayTime(session_starts_at, now) })]
  return capitalized(
    [...session, conflictLine(conflict), conflictStrings.foundAt({ when: formatDayTime(found_at, now) })].join(' · '),
  )
}

const icons: Readonly<Record<Conflict['kind'], ReactNode>> = {
  fields: <GitCompareArrows aria-hidden />,
  document: <GitCompareArrows aria-hidden />,
  booking: <CalendarX aria-hidden />,
  erased: <Eraser aria-hidden />,
}

export function ConflictList({ isDecided = false }: { readonly isDecided?: boolean }) {
  const nameOf = useName()
  const now = useNow(60_000)
  const conflicts = useCall('conflicts.list', isDecided ? { decided: true } : {}).data ?? []
  if (conflicts.length === 0) return null
  return (
    <Section className="sync-group" title={isDecided ? conflictStrings.decidedGroup : conflictStrings.group}>
      <ul className="ui-rows">
        {conflicts.map((conflict) => (
          <li key={conflict.id} className="conflict-line" data-decided={conflict.decided_at !== null || undefined}>
            <a href={`#${conflictPath(conflict.id)}`}>
              {icons[conflict.kind]}
              <span>
                <span className="conflict-line-title">
                  {conflictTitle(conflict, conflict.client_name === null ? null : nameOf(conflict.client_name))}
                </span>
                <span className="caption">{facts(conflict, now)}</span>
              </span>
              <span className="conflict-line-open">
                {conflict.decided_at === null && onlyChoice(conflict) === null ? conflictStrings.open : conflictStrings.look}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
