import { MessageSquareDashed } from 'lucide-react'
import type { NoteSection, Omission } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import { SelectField } from '#renderer/ui/field.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { NotAssessedGrid } from './not-assessed.tsx'
import { stretches, type NoteItem, type PageSection } from './note-items.ts'
import { StatementRow, SentenceEditor } from './statement-row.tsx'
import type { NoteEditing } from './use-note-editing.ts'
import { EvidenceLink } from './evidence-panel.tsx'

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
          <ul key={stretch.items[0]?.id} className="statements" aria-label={words.statements({ section: section.title })}>
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

interface AddProps {
  readonly section: NoteSection
  readonly sections: readonly NoteSection[]
  readonly editing: NoteEditing
}

function AddSentence({ section, sections, editing }: AddProps) {
  return (
    <div className="add-sentence ui-card">
      <SelectField
        label={words.addSection}
        options={sections.map((other) => ({ value: other.key, label: other.title }))}
        value={section.key}
        onChange={editing.setAddSection}
      />
      <SentenceEditor text="" label={words.addLabel({ section: section.title })} onDone={editing.finishAdd} />
    </div>
  )
}

interface OmissionRowProps {
  readonly omission: Omission
  readonly isSelected: boolean
  readonly editing: NoteEditing
}

function omissionLead(kind: Omission['kind'], quote: string | null): string {
  if (kind === 'other') return ''
  return `${words.omissionKinds[kind]}${quote === null ? ':' : ','} `
}

function OmissionRow({ omission, isSelected, editing }: OmissionRowProps) {
  const quote = omission.evidence.find((item) => item.quote !== null)?.quote ?? null
  return (
    <li className={isSelected ? 'omission omission-selected' : 'omission'} data-note-item={omission.id}>
      <MessageSquareDashed aria-hidden />
      <div
        className="statement-text"
        role="button"
        tabIndex={0}
        aria-pressed={isSelected}
        onClick={() => editing.select(omission.id)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') editing.select(omission.id)
        }}
      >
        <strong>{words.saidNotWritten}</strong> {omissionLead(omission.kind, quote)}
        {quote === null && omission.text}
        {quote !== null && <Spoken size="small">“{quote}”</Spoken>}
      </div>
      <span className="omission-end">
        <EvidenceLink
          statement={{ support: 'stated', evidence: omission.evidence }}
          isSelected={isSelected}
          onShow={() => editing.play(omission.id)}
        />
        <Button size="row" onPress={() => editing.addSaid(omission.id)}>
          {words.add}
        </Button>
        <Button size="row" variant="quiet" onPress={() => editing.leaveOut(omission.id)}>
          {words.leaveOut}
        </Button>
      </span>
    </li>
  )
}
