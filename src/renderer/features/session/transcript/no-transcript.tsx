import { AudioLines, FileText, MicOff } from 'lucide-react'
import type { Work } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate } from '#renderer/lib/navigation.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { DamagedSound, isUnreadable } from '#renderer/sessions/damaged-sound.tsx'
import { listOf } from '#renderer/strings/session.ts'
import { transcriptError, transcriptWords } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { isRunning, playableId, type SessionData } from '../session-data.ts'
import { spokenQuarter, useWorkProgress } from '../use-work-progress.ts'
import { ImportTranscript } from './import-transcript.tsx'
import { TypeTranscript } from './type-transcript.tsx'

const words = transcriptWords.none

interface NoTranscriptProps {
  readonly data: SessionData
  readonly work: Work
  readonly speechReady: boolean
}

/** No transcript: what is so, and the ways to one. */
export function NoTranscript({ data, work: stored, speechReady }: NoTranscriptProps) {
  const work = useWorkProgress(data.row.session.id, 'transcribe', stored)
  const isBusy = work.state === 'running' || (work.state === 'waiting' && work.error !== 'engine-not-ready')
  if (isBusy) return <Writing data={data} work={work} />
  const hasSound = playableId(data.recording) !== null
  return (
    <div className="tab-body no-transcript" data-region tabIndex={-1}>
      <h2 className="session-section-title">{words.title}</h2>
      <p className="muted no-transcript-lead">{leadOf(data)}</p>
      <DamagedSound recording={data.recording} />
      {hasSound && <FromSound data={data} work={work} speechReady={speechReady} />}
      <div className="no-transcript-ways">
        <ImportTranscript data={data} />
        <TypeTranscript data={data} />
      </div>
    </div>
  )
}

function leadOf({ recording }: SessionData): string {
  if (isRunning(recording)) return words.running
  if (isUnreadable(recording)) return words.soundUnreadable
  return playableId(recording) === null ? words.notRecorded : words.recorded
}

function FromSound({ data, work, speechReady }: NoTranscriptProps) {
  const name = useName()
  const request = useAction('transcripts.request')
  const input = { session_id: data.row.session.id }
  const refusing = data.row.consent.missing.filter((entry) => entry.scopes.includes('transcribe'))
  if (refusing.length > 0) {
    return <Notice icon={MicOff} title={words.consent(listOf(refusing.map((entry) => name(entry.participant.name))))} />
  }
  if (!speechReady || work.error === 'engine-not-ready') {
    return (
      <Notice
        tone="needs"
        icon={AudioLines}
        title={words.noEngine}
        actions={<Button onPress={() => navigate('/settings')}>{words.settings}</Button>}
      >
        {words.noEngineHelp}
      </Notice>
    )
  }
  return (
    <div className="no-transcript-request">
      {work.state === 'failed' && work.error !== 'cancelled' && (
        <Notice tone="stopped" icon={FileText} title={words.failed}>
          {words.failedSafe} {transcriptError(work.error)}
        </Notice>
      )}
      {work.error === 'cancelled' && <p className="muted">{words.cancelled}</p>}
      {request.error !== null && <Problem code={request.error.code} />}
      <Button
        variant="filled"
        size="large"
        icon={FileText}
        busy={request.isPending ? words.requesting : undefined}
        onPress={() => request.mutate(input)}
      >
        {work.state === 'failed' ? words.again : words.request}
      </Button>
    </div>
  )
}

const waitingWords = (error: string | null): string => (error === 'network-metered' ? words.metered : words.waiting)

function Writing({ data, work }: { readonly data: SessionData; readonly work: Work }) {
  const cancel = useAction('transcripts.cancel')
  const percent = Math.round(work.progress * 100)
  return (
    <div className="tab-body no-transcript">
      <Loading
        progress={work.progress}
        left={work.state === 'waiting' && percent === 0 ? waitingWords(work.error) : words.progress(percent)}
      >
        {words.working}
      </Loading>
      <p className="visually-hidden" role="status">
        {words.progress(spokenQuarter(work.progress))}
      </p>
      <div className="no-transcript-request">
        <Button onPress={() => cancel.mutate({ session_id: data.row.session.id })}>{words.cancel}</Button>
      </div>
    </div>
  )
}
