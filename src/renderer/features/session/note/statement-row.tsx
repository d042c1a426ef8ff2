import { Ban, CircleAlert, Play, ShieldAlert, ShieldCheck } from 'lucide-react'
import { use, useEffect, useRef, useState, type ComponentProps } from 'react'
import type { Statement } from '#contract/model/note.ts'
import { isAbsence, isCarried, statementNeeds } from '#domain/note-review.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { formatClock } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { useOpenBox } from '../notices.tsx'
import { IconText, LinesEditor } from '../parts.tsx'
import { onEnter } from '#renderer/lib/shortcuts.ts'
import { firstMoment } from './evidence-moments.ts'
import { EvidenceLink } from './evidence-panel.tsx'
import { openTopics, type FindingAnswer, type NoteItem } from './note-items.ts'
import { NoteEditingContext, useEditing } from './use-note-editing.ts'

export function StatementRow({ statement }: { readonly statement: Statement }) {
  const { id } = statement
  const editing = useEditing()
  const isSelected = editing.selectedId === id
  const needs = statementNeeds(statement)
  const isWeak = needs !== null && needs !== 'safety'
  const look = `statement${isSelected ? ' statement-selected' : ''}${isWeak ? ' statement-no-source' : ''}${statement.safety ? ' statement-safety' : ''}`
  return (
    <li className={look} data-note-item={id}>
      <div className="statement-line">
        {editing.editingId === id ? (
          <SentenceEditor text={statement.text} label={words.editLabel} onDone={(text) => editing.finishEdit(id, text)} />
        ) : (
          <StatementText statement={statement} />
        )}
        {needs === 'source' ? (
          <span className="no-source-chip">{words.noSource}</span>
        ) : isCarried(statement) ? (
          <span className="carried-chip">{statement.doubt}</span>
        ) : (
          <EvidenceLink statement={statement} isSelected={isSelected} onShow={() => editing.play(id)} />
        )}
      </div>
      {(isWeak || statement.safety) && <Review statement={statement} />}
    </li>
  )
}

function StatementText({ statement }: { readonly statement: Statement }) {
  const { id, finding, text } = statement
  const { selectedId, select, startEdit } = useEditing()
  return (
    <div
      className={isAbsence(statement) ? 'statement-text statement-not-assessed' : 'statement-text'}
      role="button"
      tabIndex={0}
      aria-pressed={selectedId === id}
      onClick={() => select(id)}
      onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && select(id)}
      onDoubleClick={() => startEdit(id)}
      onKeyDown={onEnter(() => startEdit(id))}
    >
      {finding?.state === 'denied' && (
        <span className="statement-denied">
          <Ban aria-hidden />
          <span className="visually-hidden">{words.denied}</span>
        </span>
      )}
      {text}
    </div>
  )
}

function Review({ statement }: { readonly statement: Statement }) {
  const { id, safety, confirmed_at, doubt, evidence } = statement
  const editing = useEditing()
  const needs = statementNeeds(statement)
  const isWeak = needs !== null && needs !== 'safety'
  const isHearable = editing.hasSound && firstMoment(evidence) !== null
  if (!isWeak && confirmed_at !== null) {
    return (
      <IconText className="statement-note" icon={ShieldCheck} text={words.safetyConfirmed({ time: formatClock(confirmed_at) })} />
    )
  }
  const aboutSafety = isHearable ? words.safety : words.safetyNoSound
  return (
    <div className="statement-ask">
      <p className={isWeak ? 'statement-note statement-note-amber' : 'statement-note'}>
        {isWeak ? <CircleAlert aria-hidden /> : <ShieldAlert aria-hidden />}
        {needs === 'source'
          ? words.noSourceHelp
          : needs === 'doubt'
            ? words.doubt({ reason: doubt ?? '', isSafety: safety })
            : needs === 'carried'
              ? words.lastNote.review
              : aboutSafety}
      </p>
      <span className="statement-ask-buttons">
        {needs !== 'source' && isHearable && (
          <Button size="row" icon={Play} onPress={() => editing.play(id)} label={words.listen} />
        )}
        <Button
          size="row"
          shortcut={editing.selectedId === id ? 'C' : undefined}
          onPress={() => (needs === 'source' ? editing.keepOwn(id) : editing.confirm(id))}
          label={needs === 'source' ? words.keepOwn : words.confirm}
        />
        {isWeak && (
          <Button
            size="row"
            shortcut={editing.selectedId === id ? 'L' : undefined}
            onPress={() => editing.remove(id)}
            label={words.remove}
          />
        )}
      </span>
    </div>
  )
}

function SentenceEditor(props: Pick<ComponentProps<typeof LinesEditor>, 'text' | 'label' | 'onDone'>) {
  return (
    <LinesEditor
      {...props}
      className="sentence-editor"
      columns={80}
      maxLength={4000}
      keep={words.keep}
      cancel={words.cancel}
      help={words.editHelp}
    />
  )
}

export function NotAssessedGrid({ items }: { readonly items: readonly NoteItem[] }) {
  const statements = items.flatMap((item) => (item.kind === 'statement' ? [item.statement] : []))
  const lines = statements.filter((statement) => openTopics(statement).length > 1)
  return (
    <>
      <ul className="finding-grid">
        {statements.map((statement) => (
          <Findings key={statement.id} statement={statement} />
        ))}
      </ul>
      {lines.map((statement) => (
        <p key={statement.id} className="finding-line caption">
          {words.finding.line({ text: statement.text })}
        </p>
      ))}
    </>
  )
}

function Findings({ statement }: { readonly statement: Statement }) {
  const editing = use(NoteEditingContext)
  const [open, setOpen] = useState<string | null>(null)
  const { id } = statement
  const start = (topic: string): void => {
    editing?.select(id)
    setOpen(topic)
  }
  if (editing?.editingId === id) {
    return (
      <li className="finding finding-editing" data-note-item={id}>
        <SentenceEditor text={statement.text} label={words.editLabel} onDone={(text) => editing.finishEdit(id, text)} />
      </li>
    )
  }
  return openTopics(statement).map((topic) =>
    editing !== null && open === topic ? (
      <li key={topic} className="finding finding-editing" data-note-item={id}>
        <FindingEditor
          topic={`${topic.charAt(0).toUpperCase()}${topic.slice(1)}`}
          onDone={(answer) => {
            setOpen(null)
            if (answer !== null) editing.answer(id, topic, answer)
          }}
        />
      </li>
    ) : (
      <li key={topic} className={editing?.selectedId === id ? 'finding finding-selected' : 'finding'} data-note-item={id}>
        <Finding topic={topic} onOpen={editing && (() => start(topic))} />
      </li>
    ),
  )
}

function Finding({ topic, onOpen }: { readonly topic: string; readonly onOpen: (() => void) | null }) {
  const text = (
    <>
      <span className="finding-topic">{topic}</span>
      <em className="finding-open">{words.notAssessed}</em>
    </>
  )
  if (onOpen === null) return text
  return (
    <div
      className="statement-text finding-button"
      role="button"
      tabIndex={0}
      onClick={onOpen}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        event.stopPropagation()
        onOpen()
      }}
    >
      {text}
    </div>
  )
}

const states = (['stated', 'denied', 'not_assessed'] as const).map((value) => ({ value, label: words.finding.states[value] }))

function FindingEditor({ topic, onDone }: { readonly topic: string; readonly onDone: (answer: FindingAnswer | null) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<FindingAnswer['state'] | null>(null)
  const [own, setOwn] = useState('')
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('input[type=radio]')?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const lacksWords = state === 'stated' && own.trim() === ''
  const reason = state === null ? words.finding.choose : lacksWords ? words.finding.saySo : undefined
  const isDone = useRef(false)
  const done = (answer: FindingAnswer | null): void => {
    isDone.current = true
    onDone(answer)
  }
  const keep = (): void => {
    if (state !== null && !lacksWords) done({ state, words: own })
  }
  useOpenBox(() => {
    if (isDone.current || (state === null && own.trim() === '')) return null
    keep()
    return reason === undefined ? null : (box.current?.querySelector<HTMLElement>('input') ?? null)
  })
  return (
    <div
      ref={box}
      className="finding-editor ui-card"
      role="group"
      aria-label={topic}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        done(null)
      }}
    >
      <RadioGroup label={topic} look="row" options={states} value={state} onChange={setState} />
      <TextField label={words.finding.own} value={own} onChange={setOwn} maxLength={1000} onKeyDown={onEnter(keep)} />
      <div className="sentence-editor-actions">
        <Button size="row" variant="filled" isDisabled={reason !== undefined} reason={reason} onPress={keep} label={words.keep} />
        <Button size="row" variant="quiet" onPress={() => done(null)} label={words.cancel} />
      </div>
    </div>
  )
}
