import type { NoteSection } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { SelectField } from '#renderer/ui/field.tsx'
import { SentenceEditor } from './statement-row.tsx'
import type { NoteEditing } from './use-note-editing.ts'

interface AddProps {
  readonly section: NoteSection
  readonly sections: readonly NoteSection[]
  readonly editing: NoteEditing
}

export function AddSentence({ section, sections, editing }: AddProps) {
  return (
    <div className="add-sentence ui-card">
      <SelectField
        label={words.addSection}
        options={sections.map((other) => ({ value: other.key, label: other.title }))}
        value={section.key}
        onChange={editing.setAddSection}
      />
      <SentenceEditor text="" label={words.addLabel(section.title)} onDone={editing.finishAdd} />
    </div>
  )
}
