import type { Note, NoteSection } from '#contract/model/note.ts'
import { carriedStatements } from '#domain/note-sections.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { formatDate } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { useEditing } from './use-note-editing.ts'

const words = noteWords.lastNote

interface LastNoteProps {
  readonly note: Note
  readonly starts_at: string
  readonly into: Note
}

/** The client's last signed note. Its sentences are copied section by section on request. */
export function LastNote({ note, starts_at, into }: LastNoteProps) {
  const { carry } = useEditing()
  const day = formatDate(starts_at)
  const isNew = (target: Note, section: NoteSection) => carriedStatements(target, section, day, () => '').length > 0
  const sections = note.sections.filter((section) => isNew({ ...into, sections: [] }, section))
  return (
    <details className="last-note" open={into.engine.name === 'typed'}>
      <summary>{words.title({ day })}</summary>
      {sections.map((section) => (
        <div key={section.key} className="last-note-section">
          <h3 className="note-section-title">{section.title}</h3>
          {section.statements.map(({ id, text }) => (
            <p key={id}>{text}</p>
          ))}
          <Button
            size="row"
            aria-label={words.carryNamed({ section: section.title })}
            isDisabled={!isNew(into, section)}
            reason={words.nothing}
            onPress={() => carry(section, note, words.from({ day }))}
            label={words.carry}
          />
        </div>
      ))}
    </details>
  )
}
