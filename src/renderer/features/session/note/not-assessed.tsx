import { use, useEffect, useRef, useState } from 'react'
import type { Statement } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { openTopics, type FindingAnswer, type NoteItem } from './note-items.ts'
import { SentenceEditor } from './statement-row.tsx'
import { NoteEditingContext } from './use-note-editing.ts'

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
          {words.finding.line(statement.text)}
        </p>
      ))}
    </>
  )
}

function Findings({ statement }: { readonly statement: Statement }) {
  const editing = use(NoteEditingContext)
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
          topic={`${topic.charAt(0).toUpperCase()}${topic.slice(1)}`}
          onDone={(answer) => {
            setOpen(null)
            if (answer !== null) editing.answer(id, topic, answer)
          }}
        />
      </li>
    ) : (
      <li key={topic} className={editing?.selectedId === id ? 'finding finding-selected' : 'finding'} data-note-item={id}>
        <Finding
          topic={topic}
          onOpen={
            editing &&
            (() => {
              editing.select(id)
              setOpen(topic)
            })
          }
        />
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
  const keep = (): void => {
    if (state !== null && !lacksWords) onDone({ state, words: own })
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
        label={words.finding.own}
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
        <Button size="row" variant="filled" isDisabled={reason !== undefined} reason={reason} onPress={keep}>
          {words.keep}
        </Button>
        <Button size="row" variant="quiet" onPress={() => onDone(null)}>
          {words.cancel}
        </Button>
      </div>
    </div>
  )
}
