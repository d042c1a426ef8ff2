import { FilePenLine } from 'lucide-react'
import type { Work } from '#contract/bridge/sessions.ts'
import { isErrorCode } from '#contract/errors.ts'
import type { Template } from '#contract/model/template.ts'
import { navigate } from '#renderer/lib/navigation.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { writerWords } from '#renderer/strings/writer.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'

const words = writerWords.draft

interface DraftTroubleProps {
  readonly sessionId: string
  readonly template: Template
  readonly work: Work
  /** There is a draft from before, which stays. */
  readonly hasNote: boolean
  /** An AI writes drafts, so that there is another way. */
  readonly isByModel: boolean
}

/** Why there is no new draft, and what can be done; the rules are offered and never take over by themselves. */
export function DraftTrouble({ sessionId, template, work, hasNote, isByModel }: DraftTroubleProps) {
  const draft = useAction('notes.draft')
  const dismiss = useAction('notes.cancelDraft')
  if (work.error === 'cancelled') return hasNote ? null : <p className="muted">{words.stopped}</p>
  if (work.error === null || (work.state !== 'failed' && work.state !== 'waiting')) return null
  const isNotReady = work.error === 'engine-not-ready'
  const sentence = errorSentences[isErrorCode(work.error) ? work.error : 'internal']
  return (
    <>
      <Notice
        tone={isNotReady ? 'needs' : 'stopped'}
        icon={FilePenLine}
        title={isNotReady ? words.notReady : sentence.happened}
        actions={
          <>
            {isByModel && (
              <>
                <Button
                  busy={draft.isPending ? writerWords.draft.waiting : undefined}
                  onPress={() => draft.mutate({ session_id: sessionId, template, without_ai: true })}
                >
                  {words.withoutAi}
                </Button>
                <Button variant="quiet" onPress={() => navigate('/settings')}>
                  {words.settings}
                </Button>
              </>
            )}
            {hasNote && (
              <Button variant="quiet" onPress={() => dismiss.mutate({ session_id: sessionId })}>
                {words.notNow}
              </Button>
            )}
          </>
        }
      >
        {isNotReady ? words.notReadyHelp : hasNote ? words.failedAgain : `${sentence.kept} ${sentence.next}`}
      </Notice>
      {draft.error !== null && <Problem code={draft.error.code} />}
    </>
  )
}
