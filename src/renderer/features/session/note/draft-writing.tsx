import type { Work } from '#contract/bridge/sessions.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { writerWords } from '#renderer/strings/writer.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Problem } from '#renderer/ui/page.tsx'
import { spokenQuarter } from '../use-work-progress.ts'

const words = noteWords.none

/** A draft that is being written: how far it is, and a way to stop it. */
export function DraftWriting({ sessionId, work }: { readonly sessionId: string; readonly work: Work }) {
  const cancel = useAction('notes.cancelDraft')
  const percent = Math.round(work.progress * 100)
  return (
    <div className="tab-body no-note">
      <Loading
        progress={work.progress}
        left={work.state === 'waiting' && percent === 0 ? writerWords.draft.waiting : words.progress(percent)}
      >
        {words.writing}
      </Loading>
      <p className="visually-hidden" role="status">
        {words.progress(spokenQuarter(work.progress))}
      </p>
      {cancel.error !== null && <Problem code={cancel.error.code} />}
      <div className="no-note-form">
        <Button onPress={() => cancel.mutate({ session_id: sessionId })}>{writerWords.draft.cancel}</Button>
      </div>
    </div>
  )
}
