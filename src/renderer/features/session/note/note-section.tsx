import type { NoteSection } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { AddSentence } from './add-sentence.tsx'
import { NotAssessedGrid } from './not-assessed.tsx'
import { stretches, type NoteItem, type PageSection } from './note-items.ts'
import { OmissionRow } from './omission-row.tsx'
import { StatementRow } from './statement-row.tsx'
import type { NoteEditing } from './use-note-editing.ts'

interface SectionProps {
  readonly page: PageSection
  readonly editing: NoteEditing
  readonly player: Player
  readonly allSections: readonly NoteSection[]
}

export function NoteSectionView({ page, editing, player, allSections }: SectionProps) {
  const { section, items } = page
  const isAddingHere = editing.adding?.section_key === section.key
  return (
    <section className="note-section" aria-labelledby={`section-${section.key}`}>
      <h2 id={`section-${section.key}`} className="note-section-title">
        {section.title}
      </h2>
      {items.length === 0 && !isAddingHere && <p className="note-empty">{words.emptySection}</p>}
      {stretches(items).map((stretch) =>
        stretch.kind === 'not_assessed' ? (
          <NotAssessedGrid key={`not-assessed-${stretch.items[0]?.id ?? ''}`} items={stretch.items} editing={editing} />
        ) : (
          <ul key={stretch.items[0]?.id} className="statements" aria-label={words.statements(section.title)}>
            {stretch.items.map((item) => (
              <Item key={item.id} item={item} editing={editing} player={player} />
            ))}
          </ul>
        ),
      )}
      {isAddingHere && <AddSentence key={section.key} section={section} sections={allSections} editing={editing} />}
    </section>
  )
}

function Item({ item, editing, player }: { readonly item: NoteItem; readonly editing: NoteEditing; readonly player: Player }) {
  const isSelected = editing.selected?.id === item.id
  return item.kind === 'omission' ? (
    <OmissionRow omission={item.omission} isSelected={isSelected} editing={editing} />
  ) : (
    <StatementRow
      statement={item.statement}
      isSelected={isSelected}
      isEditing={editing.editingId === item.id}
      editing={editing}
      hasSound={player.source !== null}
    />
  )
}
