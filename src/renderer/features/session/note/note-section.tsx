import { MessageSquareDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import type { NoteSection, Omission } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { TitledSection } from '../parts.tsx'
import { onEnter } from '#renderer/lib/shortcuts.ts'
import { EvidenceLink } from './evidence-panel.tsx'
import { stretches, type NoteItem, type PageSection } from './note-items.ts'
import { NotAssessedGrid, SentenceEditor, StatementRow } from './statement-row.tsx'
import { useEditing } from './use-note-editing.ts'

interface ItemsProps {
  readonly page: PageSection
  readonly isSigned?: boolean
  readonly row: (item: NoteItem) => ReactNode
  readonly children?: ReactNode
}

export function SectionItems({ page: { section, items }, isSigned = false, row, children }: ItemsProps) {
  return (
    <TitledSection className="note-section" look="note-section" title={section.title}>
      {items.length === 0 && !children && <p className="note-empty">{words.emptySection}</p>}
      {stretches(items, isSigned).map(({ kind, items: own }) =>
        kind === 'not_assessed' ? (
          <NotAssessedGrid key={`not-assessed-${own[0]?.id ?? ''}`} items={own} />
        ) : (
          <ul
            key={own[0]?.id}
            className="statements"
            aria-label={isSigned ? undefined : words.statements({ section: section.title })}
          >
            {own.map(row)}
          </ul>
        ),
      )}
      {children}
    </TitledSection>
  )
}

export function EditedSections({ sections }: { readonly sections: readonly NoteSection[] }) {
  const editing = useEditing()
  return editing.sections.map((page) => (
    <SectionItems
      key={page.section.key}
      page={page}
      row={(item) =>
        item.kind === 'omission' ? (
          <OmissionRow key={item.id} omission={item.omission} />
        ) : (
          <StatementRow key={item.id} statement={item.statement} />
        )
      }
    >
      {editing.adding?.section_key === page.section.key && <AddSentence section={page.section} sections={sections} />}
    </SectionItems>
  ))
}

function AddSentence({ section, sections }: { readonly section: NoteSection; readonly sections: readonly NoteSection[] }) {
  const { setAddSection, finishAdd } = useEditing()
  return (
    <div className="add-sentence ui-card">
      <SelectField
        label={words.addSection}
        options={sections.map((other) => ({ value: other.key, label: other.title }))}
        value={section.key}
        onChange={setAddSection}
      />
      <SentenceEditor text="" label={words.addLabel({ section: section.title })} onDone={finishAdd} />
    </div>
  )
}

function OmissionRow({ omission }: { readonly omission: Omission }) {
  const { id, kind, evidence } = omission
  const editing = useEditing()
  const isSelected = editing.selectedId === id
  const quote = evidence.find((item) => item.quote !== null)?.quote ?? null
  const lead = kind === 'other' ? '' : `${words.omissionKinds[kind]}${quote === null ? ':' : ','} `
  return (
    <li className={isSelected ? 'omission omission-selected' : 'omission'} data-note-item={id}>
      <MessageSquareDashed aria-hidden />
      <div
        className="statement-text"
        role="button"
        tabIndex={0}
        aria-pressed={isSelected}
        onClick={() => editing.select(id)}
        onKeyDown={onEnter(() => editing.select(id))}
      >
        <strong>{words.saidNotWritten}</strong> {lead}
        {quote === null ? omission.text : <Spoken size="small">“{quote}”</Spoken>}
      </div>
      <span className="omission-end">
        <EvidenceLink statement={{ support: 'stated', evidence }} isSelected={isSelected} onShow={() => editing.play(id)} />
        <Button size="row" shortcut={isSelected ? 'C' : undefined} onPress={() => editing.addSaid(id)} label={words.add} />
        <Button
          size="row"
          variant="quiet"
          shortcut={isSelected ? 'L' : undefined}
          onPress={() => editing.leaveOut(id)}
          label={words.leaveOut}
        />
      </span>
    </li>
  )
}
