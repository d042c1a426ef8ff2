import { ArrowLeft, History } from 'lucide-react'
import { useState } from 'react'
import type { Conflict } from '#contract/bridge/conflicts.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate } from '#renderer/lib/routes.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import {
  conflictLead,
  conflictStrings,
  conflictTitle,
  erasedStrings,
  togetherStrings,
  whoWords,
} from '#renderer/strings/conflicts.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Empty, Loading, Notice, Page, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import type { NoteSection } from '#contract/model/note.ts'
import {
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

const leave = (): void => navigate('/outbox')

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
        {written !== undefined && <Written sections={written} />}
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
  const who = useCall('conflicts.who', { id: conflict.id }).data
  // A choice applies only to the version the therapist saw.
  const isNew = answer.version !== conflict.version
  const chosen = onlyChoice(conflict) ?? (isNew ? {} : answer.chosen)
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
        {isNew && <Notice tone="needs">{conflictStrings.changed}</Notice>}
        {resolve.error && resolve.error.code !== 'stale-version' && <Problem code={resolve.error.code} />}
        <Asked
          conflict={conflict}
          who={whoWords(who)}
          chosen={chosen}
          onChoose={(next) => setAnswer({ version: conflict.version, chosen: next })}
        />
        {isTogether(chosen) && writing !== null && <WriteTogether together={writing.together} onChange={writing.set} />}
        {(conflict.kind === 'fields' || conflict.kind === 'document') && (
          <Notice icon={History}>{conflictStrings.history}</Notice>
        )}
      </div>
      <div className="conflict-bar">
        {mayWriteTogether(conflict) && <p className="conflict-bar-words">{conflictStrings.notSigned}</p>}
        <Button onPress={leave}>{conflictStrings.later}</Button>
        <Doing conflict={conflict} chosen={chosen} isBusy={resolve.isPending} onPress={choice === null ? null : submit} />
      </div>
    </Page>
  )
}

interface DoingProps {
  readonly conflict: Conflict
  readonly chosen: Chosen
  readonly isBusy: boolean
  readonly onPress: (() => void) | null
}

function Doing({ conflict, chosen, isBusy, onPress }: DoingProps) {
  const hasMany = conflict.kind === 'fields' && conflict.fields.length > 1
  const missing = hasMany ? conflictStrings.chooseEach : conflictStrings.chooseFirst
  return (
    <Button
      variant={conflict.kind === 'erased' && wholeOf(chosen) === 'erase' ? 'erasing' : 'filled'}
      isDisabled={onPress === null}
      reason={isTogether(chosen) ? togetherStrings.writeFirst : missing}
      busy={isBusy ? conflictStrings.using : undefined}
      onPress={() => onPress?.()}
    >
      {doingOf(conflict, chosen)}
    </Button>
  )
}

function doingOf(conflict: Conflict, chosen: Chosen): string {
  if (onlyChoice(conflict) !== null) return conflictStrings.useSigned
  if (conflict.kind === 'erased' && wholeOf(chosen) !== null)
    return wholeOf(chosen) === 'erase' ? erasedStrings.erase : erasedStrings.keep
  const side = conflict.kind === 'document' ? sideOf(chosen) : null
  return side === null ? conflictStrings.use[conflict.kind] : conflictStrings.useSide[side]
}

interface AskedProps {
  readonly conflict: Conflict
  readonly who: string | null
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

function Written({ sections }: { readonly sections: readonly NoteSection[] }) {
  return (
    <section className="conflict-written">
      <h2 className="ui-section-head">{togetherStrings.written}</h2>
      {sections
        .filter(({ statements }) => statements.length > 0)
        .map(({ key, title, statements }) => (
          <p key={key} className="conflict-part">
            <span className="conflict-part-title">{title}</span>
            <span className="conflict-words">{statements.map(({ text }) => text).join(' ')}</span>
          </p>
        ))}
    </section>
  )
}
