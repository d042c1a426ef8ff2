import { useMemo } from 'react'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { Loading, Problem } from '#renderer/ui/page.tsx'
import type { SessionData } from '../session-data.ts'
import { TurnNames } from './evidence-link.tsx'
import { DraftTrouble } from './draft-trouble.tsx'
import { NoNote } from './no-note.tsx'
import { NoteEditor } from './note-editor.tsx'
import { SignedNote } from './signed-note.tsx'
import './note.css'
import './note-evidence.css'
import './note-findings.css'
import './note-signing.css'

export function NoteTab({ data }: { readonly data: SessionData }) {
  const input = { session_id: data.row.session.id }
  const answer = useCall('notes.get', input)
  const words = useCall('transcripts.get', input)
  const turnName = useMemo(() => {
    const numbers = new Map((words.data?.transcript?.segments ?? []).map((segment, index) => [segment.id, index + 1]))
    return (id: string): string | null => {
      const number = numbers.get(id)
      return number === undefined ? null : noteWords.evidence.turn(number)
    }
  }, [words.data])
  if (answer.data === undefined || (words.data === undefined && words.error === null)) {
    return (
      <div className="tab-body">
        {answer.error === null ? (
          <Loading>{noteWords.loading}</Loading>
        ) : (
          <Problem code={answer.error.code} onRetry={() => void answer.refetch()} />
        )}
      </div>
    )
  }
  const { note, work } = answer.data
  const transcript = words.data?.transcript ?? null
  const isDrafting = work.state === 'running' || (work.state === 'waiting' && work.error === null)
  if (note === null || isDrafting) return <NoNote data={data} work={work} transcript={transcript} />
  return (
    <TurnNames value={turnName}>
      {note.signature !== null ? (
        <SignedNote data={data} note={note} transcript={transcript} />
      ) : (
        <NoteEditor
          trouble={
            <DraftTrouble
              sessionId={data.row.session.id}
              template={note.template}
              work={work}
              hasNote
              isByModel={data.settings.language_engine !== 'rules'}
            />
          }
          key={`${note.id} ${note.template} ${note.created_at}`}
          data={data}
          note={note}
          transcript={transcript}
          onReload={async () => (await answer.refetch()).data?.note ?? null}
        />
      )}
    </TurnNames>
  )
}
