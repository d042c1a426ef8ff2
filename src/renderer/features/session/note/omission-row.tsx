import { MessageSquareDashed } from 'lucide-react'
import type { Omission } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { EvidenceLink } from './evidence-link.tsx'
import type { NoteEditing } from './use-note-editing.ts'

interface OmissionRowProps {
  readonly omission: Omission
  readonly isSelected: boolean
  readonly editing: NoteEditing
}

/** What kind of thing it is, where it has a kind, before its words. */
function omissionLead(kind: Omission['kind'], quote: string | null): string {
  if (kind === 'other') return ''
  return `${words.omissionKind(kind)}${quote === null ? ':' : ','} `
}

/** Offered, never written by itself. */
export function OmissionRow({ omission, isSelected, editing }: OmissionRowProps) {
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
