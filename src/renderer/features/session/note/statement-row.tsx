import { CircleAlert, Ban, Play, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isAbsence, statementNeeds } from '#domain/note-review.ts'
import type { Statement } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatClock } from '#renderer/strings/time.ts'
import { EvidenceLink } from './evidence-panel.tsx'
import { firstMoment } from './evidence-moments.ts'
import type { NoteEditing } from './use-note-editing.ts'

interface RowProps {
  readonly statement: Statement
  readonly isSelected: boolean
  readonly isEditing: boolean
  readonly hasSound: boolean
  readonly editing: NoteEditing
}

export function StatementRow(props: RowProps) {
  const { statement, isSelected, isEditing, editing } = props
  const needs = statementNeeds(statement)
  const look = `statement${isSelected ? ' statement-selected' : ''}${needs === 'source' || needs === 'doubt' ? ' statement-no-source' : ''}${statement.safety ? ' statement-safety' : ''}`
  return (
    <li className={look} data-note-item={statement.id}>
      <div className="statement-line">
        {isEditing ? (
          <SentenceEditor
            text={statement.text}
            label={words.editLabel}
            onDone={(text) => editing.finishEdit(statement.id, text)}
          />
        ) : (
          <StatementText
            statement={statement}
            isSelected={isSelected}
            onSelect={() => editing.select(statement.id)}
            onEdit={() => editing.startEdit(statement.id)}
          />
        )}
        {needs === 'source' ? (
          <span className="no-source-chip">{words.noSource}</span>
        ) : (
          <EvidenceLink statement={statement} isSelected={isSelected} onShow={() => editing.play(statement.id)} />
        )}
      </div>
      {needs === 'source' && <NoSource {...props} />}
      {needs === 'doubt' && <Doubt {...props} />}
      {statement.safety && needs !== 'source' && needs !== 'doubt' && <Safety {...props} />}
    </li>
  )
}

interface TextProps {
  readonly statement: Statement
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly onEdit: () => void
}

function StatementText({ statement, isSelected, onSelect, onEdit }: TextProps) {
  const isDenied = statement.finding?.state === 'denied'
  const isOpen = isAbsence(statement)
  return (
    <div
      className={isOpen ? 'statement-text statement-not-assessed' : 'statement-text'}
      role="button"
      tabIndex={0}
      aria-pressed={isSelected}
      onClick={onSelect}
      onFocus={(event) => {
        if (event.currentTarget.matches(':focus-visible')) onSelect()
      }}
      onDoubleClick={onEdit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        event.stopPropagation()
        onEdit()
      }}
    >
      {isDenied && (
        <span className="statement-denied">
          <Ban aria-hidden />
          <span className="visually-hidden">{words.denied}</span>
        </span>
      )}
      {statement.text}
    </div>
  )
}

function Safety({ statement, hasSound, editing }: RowProps) {
  const isHearable = hasSound && firstMoment(statement.evidence) !== null
  if (statement.confirmed_at !== null) {
    return (
      <p className="statement-note">
        <ShieldCheck aria-hidden />
        {words.safetyConfirmed({ time: formatClock(statement.confirmed_at) })}
      </p>
    )
  }
  return (
    <div className="statement-ask">
      <p className="statement-note">
        <ShieldAlert aria-hidden />
        {isHearable ? words.safety : words.safetyNoSound}
      </p>
      <span className="statement-ask-buttons">
        {isHearable && (
          <Button size="row" icon={Play} onPress={() => editing.play(statement.id)}>
            {words.listen}
          </Button>
        )}
        <Button size="row" onPress={() => editing.confirm(statement.id)}>
          {words.confirm}
        </Button>
      </span>
    </div>
  )
}

function NoSource({ statement, editing }: RowProps) {
  return (
    <div className="statement-ask">
      <p className="statement-note statement-note-amber">
        <CircleAlert aria-hidden />
        {words.noSourceHelp}
      </p>
      <span className="statement-ask-buttons">
        <Button size="row" onPress={() => editing.keepOwn(statement.id)}>
          {words.keepOwn}
        </Button>
        <Button size="row" onPress={() => editing.remove(statement.id)}>
          {words.remove}
        </Button>
      </span>
    </div>
  )
}

function Doubt({ statement, hasSound, editing }: RowProps) {
  const isHearable = hasSound && firstMoment(statement.evidence) !== null
  return (
    <div className="statement-ask">
      <p className="statement-note statement-note-amber">
        <CircleAlert aria-hidden />
        {words.doubt({ reason: statement.doubt ?? '', isSafety: statement.safety })}
      </p>
      <span className="statement-ask-buttons">
        {isHearable && (
          <Button size="row" icon={Play} onPress={() => editing.play(statement.id)}>
            {words.listen}
          </Button>
        )}
        <Button size="row" onPress={() => editing.confirm(statement.id)}>
          {words.confirm}
        </Button>
        <Button size="row" onPress={() => editing.remove(statement.id)}>
          {words.remove}
        </Button>
      </span>
    </div>
  )
}

interface EditorProps {
  readonly text: string
  readonly label: string
  readonly onDone: (text: string | null) => void
}

export function SentenceEditor({ text: first, label, onDone }: EditorProps) {
  const [text, setText] = useState(first)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length)
  }, [])
  return (
    <div className="sentence-editor">
      <textarea
        ref={area}
        aria-label={label}
        autoComplete="off"
        value={text}
        maxLength={4000}
        rows={Math.max(2, Math.ceil(text.length / 80))}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone(null)
          if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          onDone(text)
        }}
      />
      <div className="sentence-editor-actions">
        <Button size="row" variant="filled" onPress={() => onDone(text)}>
          {words.keep}
        </Button>
        <Button size="row" variant="quiet" onPress={() => onDone(null)}>
          {words.cancel}
        </Button>
        <span className="caption">{words.editHelp}</span>
      </div>
    </div>
  )
}
