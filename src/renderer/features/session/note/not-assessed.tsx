import { useState } from 'react'
import type { Statement } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { FindingEditor } from './finding-editor.tsx'
import { openTopics } from './findings.ts'
import type { NoteItem } from './note-items.ts'
import { SentenceEditor } from './statement-row.tsx'
import type { NoteEditing } from './use-note-editing.ts'

interface GridProps {
  readonly items: readonly NoteItem[]
  /** Null in a signed note: the fields only show. */
  readonly editing: NoteEditing | null
}

/** What nobody asked about, said so, side by side; a click says what the therapist knows of it. */
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
          {words.finding.line(statement.text)}
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
