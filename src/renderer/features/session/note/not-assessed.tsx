import { useState, useEffect, useRef } from 'react'
import type { Statement } from '#contract/model/note.ts'
import { noteWords as words, noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { openTopics, type FindingAnswer } from './note-items.ts'
import type { NoteItem } from './note-items.ts'
import { SentenceEditor } from './statement-row.tsx'
import type { NoteEditing } from './use-note-editing.ts'

interface GridProps {
  readonly items: readonly NoteItem[]
  readonly editing: NoteEditing | null
}

export function NotAssessedGrid({ items, editing }: GridProps) {
  const statements = items.flatMap((item) => (item.kind === 'statement' ? [item.statement] : []))
  const lines = statements.filter((statement) => openTopics(statement).length > 1)
  return (
    <>
      <ul className="finding-grid">
        {statements.map((statement) => (
          <Findings key={statement.id} statement={statement} editing={editing} />
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

function Findings({ statement, editing }: { readonly statement: Statement; readonly editing: NoteEditing | null }) {
  const [open, setOpen] = useState<string | null>(null)
  const { id } = statement
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
          topic={capital(topic)}
          onDone={(answer) => {
            setOpen(null)
            if (answer !== null) editing.answer(id, topic, answer)
          }}
        />
      </li>
    ) : (
      <li key={topic} className={editing?.selected?.id === id ? 'finding finding-selected' : 'finding'} data-note-item={id}>
        {editing === null ? (
          <Finding topic={topic} />
        ) : (
          <div
            className="statement-text finding-button"
            role="button"
            tabIndex={0}
            onClick={() => {
              editing.select(id)
              setOpen(topic)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== ' ') return
              event.preventDefault()
              event.stopPropagation()
              editing.select(id)
              setOpen(topic)
            }}
          >
            <Finding topic={topic} />
          </div>
        )}
      </li>
    ),
  )
}

function Finding({ topic }: { readonly topic: string }) {
  return (
    <>
      <span className="finding-topic">{topic}</span>
      <em className="finding-open">{words.notAssessed}</em>
    </>
  )
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const findingEditorWords = noteWords.finding
const states = (['stated', 'denied', 'not_assessed'] as const).map((value) => ({
  value,
  label: findingEditorWords.states[value],
}))

interface EditorProps {
  readonly topic: string
  readonly onDone: (answer: FindingAnswer | null) => void
}

function FindingEditor({ topic, onDone }: EditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<FindingAnswer['state'] | null>(null)
  const [own, setOwn] = useState('')
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('input[type=radio]')?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const reason =
    state === null ? findingEditorWords.choose : state === 'stated' && own.trim() === '' ? findingEditorWords.saySo : null
  const keep = (): void => {
    if (state !== null && reason === null) onDone({ state, words: own })
  }
  return (
    <div
      ref={box}
      className="finding-editor ui-card"
      role="group"
      aria-label={topic}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onDone(null)
      }}
    >
      <RadioGroup label={topic} look="row" options={states} value={state} onChange={setState} />
      <TextField
        label={findingEditorWords.own}
        value={own}
        onChange={setOwn}
        maxLength={1000}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          keep()
        }}
      />
      <div className="sentence-editor-actions">
        <Button size="row" variant="filled" isDisabled={reason !== null} {...(reason === null ? {} : { reason })} onPress={keep}>
          {noteWords.keep}
        </Button>
        <Button size="row" variant="quiet" onPress={() => onDone(null)}>
          {noteWords.cancel}
        </Button>
      </div>
    </div>
  )
}
