import { CircleAlert, Info } from 'lucide-react'
import type { Note } from '#contract/model/note.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'

/** What the engine noticed about its own draft, and what it left out because nothing bore it out. */
export function NoteRemarks({ note, onTakeBack }: { readonly note: Note; readonly onTakeBack: (omissionId: string) => void }) {
  const leftOut = note.omissions.filter((omission) => omission.decision === 'left_out')
  if (note.checks.length === 0 && note.unsupported.length === 0 && leftOut.length === 0) return null
  return (
    <div className="note-remarks">
      {note.checks.length > 0 && (
        <section aria-labelledby="note-checks">
          <h2 id="note-checks" className="note-section-title">
            {words.checks}
          </h2>
          <ul>
            {note.checks.map((check) => (
              <li key={`${check.code} ${check.message}`} className={`note-check note-check-${check.severity}`}>
                {check.severity === 'needs_you' ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
                {check.message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {leftOut.length > 0 && (
        <details className="note-unsupported">
          <summary>{words.leftOut(leftOut.length)}</summary>
          <ul>
            {leftOut.map((omission) => (
              <li key={omission.id}>
                <Spoken size="small">“{omission.evidence[0]?.quote ?? omission.text}”</Spoken>{' '}
                <LinkButton onPress={() => onTakeBack(omission.id)}>{words.takeBack}</LinkButton>
              </li>
            ))}
          </ul>
        </details>
      )}
      {note.unsupported.length > 0 && (
        <details className="note-unsupported">
          <summary>{words.unsupported}</summary>
          <ul>
            {note.unsupported.map((entry) => (
              <li key={`${entry.text} ${entry.reason}`}>
                {entry.text} <span className="muted">{entry.reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
