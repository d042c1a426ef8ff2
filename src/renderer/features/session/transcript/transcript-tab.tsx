import { useCall } from '#renderer/bridge/use-bridge.ts'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { Loading, Problem } from '#renderer/ui/page.tsx'
import type { SessionData } from '../session-data.ts'
import { NoTranscript } from './no-transcript.tsx'
import { TranscriptView } from './transcript-view.tsx'
import './transcript.css'
import './transcript-listening.css'

export function TranscriptTab({ data, segmentId }: { readonly data: SessionData; readonly segmentId: string | null }) {
  const answer = useCall('transcripts.get', { session_id: data.row.session.id })
  if (answer.data === undefined) {
    return (
      <div className="tab-body">
        {answer.error === null ? (
          <Loading>{transcriptWords.loading}</Loading>
        ) : (
          <Problem code={answer.error.code} onRetry={() => void answer.refetch()} />
        )}
      </div>
    )
  }
  const { transcript, work, speech_ready } = answer.data
  const isRewriting = work.state === 'running' || work.state === 'waiting'
  if (transcript === null || isRewriting) return <NoTranscript data={data} work={work} speechReady={speech_ready} />
  return (
    <TranscriptView
      key={transcript.id}
      data={data}
      transcript={transcript}
      segmentId={segmentId}
      speechReady={speech_ready}
      onReload={() => answer.refetch()}
    />
  )
}
