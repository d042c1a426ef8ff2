import { Ban, CircleAlert, Play, ShieldAlert, ShieldCheck } from 'lucide-react'
import { isAbsence, statementNeeds } from '#domain/note-review.ts'
import type { Statement } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { formatClock } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { LinesEditor } from '../parts.tsx'
import { firstMoment } from './evidence-moments.ts'
import { EvidenceLink } from './evidence-panel.tsx'
import { useEditing } from './use-note-editing.ts'

interface RowProps {
  readonly statement: Statement
}

export function StatementRow({ statement }: RowProps) {
  const { id } = statement
  const editing = useEditing()
  const isSelected = editing.selectedId === id
  const needs = statementNeeds(statement)
  const isWeak = needs === 'source' || needs === 'doubt'
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
        ) : (
          <EvidenceLink statement={statement} isSelected={isSelected} onShow={() => editing.play(id)} />
        )}
      </div>
      {(isWeak || statement.safety) && <Review statement={statement} />}
    </li>
  )
}

function StatementText({ statement }: RowProps) {
  const { id, finding, text } = statement
  const { selectedId, select, startEdit } = useEditing()
  return (
    <div
      className={isAbsence(statement) ? 'statement-text statement-not-assessed' : 'statement-text'}
      role="button"
      tabIndex={0}
      aria-pressed={selectedId === id}
      onClick={() => select(id)}
      onFocus={(event) => {
        if (event.currentTarget.matches(':focus-visible')) select(id)
      }}
      onDoubleClick={() => startEdit(id)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        event.stopPropagation()
        startEdit(id)
      }}
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

function Review({ statement }: RowProps) {
  const { id, safety, confirmed_at, doubt, evidence } = statement
  const editing = useEditing()
  const needs = statementNeeds(statement)
  const isWeak = needs === 'source' || needs === 'doubt'
  const isHearable = editing.hasSound && firstMoment(evidence) !== null
  if (!isWeak && confirmed_at !== null) {
    return (
      <p className="statement-note">
        <ShieldCheck aria-hidden />
        {words.safetyConfirmed(formatClock(confirmed_at))}
      </p>
    )
  }
  const aboutSafety = isHearable ? words.safety : words.safetyNoSound
  return (
    <div className="statement-ask">
      <p className={isWeak ? 'statement-note statement-note-amber' : 'statement-note'}>
        {isWeak ? <CircleAlert aria-hidden /> : <ShieldAlert aria-hidden />}
        {needs === 'source' ? words.noSourceHelp : needs === 'doubt' ? words.doubt(doubt ?? '', safety) : aboutSafety}
      </p>
      <span className="statement-ask-buttons">
        {needs !== 'source' && isHearable && (
          <Button size="row" icon={Play} onPress={() => editing.play(id)}>
            {words.listen}
          </Button>
        )}
        <Button size="row" onPress={() => (needs === 'source' ? editing.keepOwn(id) : editing.confirm(id))}>
          {needs === 'source' ? words.keepOwn : words.confirm}
        </Button>
        {isWeak && (
          <Button size="row" onPress={() => editing.remove(id)}>
            {words.remove}
          </Button>
        )}
      </span>
    </div>
  )
}

interface EditorProps {
  readonly text: string
  readonly label: string
  readonly onDone: (text: string | null) => void
}

export function SentenceEditor(props: EditorProps) {
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
