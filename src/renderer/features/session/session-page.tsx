import { GitCompareArrows } from 'lucide-react'
import { useEffect, useMemo, type ComponentProps } from 'react'
import { isSample } from '#contract/bridge/sample.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { useSettings } from '#renderer/lib/app-state.ts'
import { conflictPath, navigate, sessionPath, useRoute, type SessionTab } from '#renderer/lib/routes.ts'
import { SampleNotice } from '#renderer/sessions/sample.tsx'
import { conflictStrings, sessionConflict } from '#renderer/strings/conflicts.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Answer, Loading, Notice, Page, Problem, Tabs } from '#renderer/ui/page.tsx'
import { ConsentTab } from './consent/consent-tab.tsx'
import { InsightsView } from './insights/insights-view.tsx'
import { NoInsights } from './insights/no-insights.tsx'
import { TurnNames } from './note/evidence-panel.tsx'
import { DraftTrouble, NoNote } from './note/no-note.tsx'
import { NoteEditor } from './note/note-editor.tsx'
import { SignedNote } from './note/signed-note.tsx'
import { LostParts } from './notices.tsx'
import { RecordTab } from './record/record-tab.tsx'
import { isWorking, SessionContext, useSession, useWorkProgress } from './session-data.ts'
import { SessionHead } from './session-head.tsx'
import { NoTranscript } from './transcript/no-transcript.tsx'
import { TranscriptView } from './transcript/transcript-view.tsx'
import './insights/insights.css'
import './insights/figures.css'
import './insights/insights-aside.css'
import './note/note.css'
import './note/note-evidence.css'
import './note/note-findings.css'
import './note/note-signing.css'
import './note/note-typing.css'
import './transcript/transcript.css'
import './transcript/transcript-listening.css'
import './session.css'

export function SessionPage({ id, tab }: { readonly id: string; readonly tab: SessionTab }) {
  const row = useCall('sessions.get', { id })
  const stored = useCall('recordings.get', { session_id: id })
  const settings = useSettings()
  const { state } = useRecorder()
  if (row.data === undefined || settings === undefined || stored.data === undefined) {
    return (
      <Page title={sessionWords.tabs[tab]}>
        {row.error === null && stored.error === null ? (
          <Loading>{sessionWords.loading}</Loading>
        ) : (
          <Problem code={row.error?.code ?? stored.error?.code ?? null} onRetry={() => void row.refetch()} />
        )}
      </Page>
    )
  }
  const recording = state.recording?.session_id === id && state.phase !== 'idle' ? state.recording : stored.data
  return (
    <SessionContext value={{ id, row: row.data, settings, recording }}>
      <Workspace tab={tab} />
    </SessionContext>
  )
}

function Workspace({ tab }: { readonly tab: SessionTab }) {
  const { id, row } = useSession()
  const route = useRoute()
  const place = route.page === 'session' ? route.place : null
  const go = (next: SessionTab): void => navigate(sessionPath(id, next))
  useEffect(() => {
    document.querySelector<HTMLElement>('.session-page')?.focus({ preventScroll: true })
  }, [id])
  return (
    <main className="session-page" data-region tabIndex={-1}>
      <SessionHead tab={tab} />
      <SpokenState />
      {isSample(row.session.client_id) && (
        <div className="session-notice">
          <SampleNotice clientId={row.session.client_id} />
        </div>
      )}
      <LostParts />
      <TwoVersions />
      <Tabs
        className="session-tabs"
        label={sessionWords.tabsLabel}
        selected={tab}
        onSelect={go}
        items={[
          { id: 'record', label: sessionWords.tabs.record, content: <RecordTab /> },
          { id: 'transcript', label: sessionWords.tabs.transcript, content: <TranscriptTab segmentId={place} /> },
          { id: 'note', label: sessionWords.tabs.note, content: <NoteTab statementId={place} /> },
          { id: 'insights', label: sessionWords.tabs.insights, content: <InsightsTab /> },
          { id: 'consent', label: sessionWords.tabs.consent, content: <ConsentTab /> },
        ]}
      />
    </main>
  )
}

function TwoVersions() {
  const { id } = useSession()
  const conflicts = (useCall('conflicts.list', {}).data ?? []).filter(({ session_id }) => session_id === id)
  return conflicts.map((conflict) => (
    <div key={conflict.id} className="session-notice">
      <Notice
        tone="needs"
        icon={GitCompareArrows}
        actions={<Button size="row" onPress={() => navigate(conflictPath(conflict.id))} label={conflictStrings.open} />}
      >
        {sessionConflict(conflict)}
      </Notice>
    </div>
  ))
}

function NoAnswer(props: ComponentProps<typeof Answer>) {
  return (
    <div className="tab-body">
      <Answer {...props} />
    </div>
  )
}

function InsightsTab() {
  const { id } = useSession()
  const answer = useCall('insights.get', { session_id: id })
  const words = useCall('transcripts.get', { session_id: id })
  const work = useWorkProgress(id, 'analyze', answer.data?.work ?? { state: 'idle', progress: 0, error: null })
  if (answer.data === undefined || (words.data === undefined && words.error === null))
    return <NoAnswer of={answer.data === undefined ? answer : words} loading={insightWords.loading} />
  const { analysis } = answer.data
  if (analysis === null) return <NoInsights insights={answer.data} work={work} />
  return <InsightsView insights={answer.data} analysis={analysis} work={work} transcript={words.data?.transcript ?? null} />
}

function TranscriptTab({ segmentId }: { readonly segmentId: string | null }) {
  const { id } = useSession()
  const answer = useCall('transcripts.get', { session_id: id })
  if (answer.data === undefined) return <NoAnswer of={answer} loading={transcriptWords.loading} />
  const { transcript, work, speech_ready } = answer.data
  const isRewriting = work.state === 'running' || (work.state === 'waiting' && work.error !== 'engine-not-ready')
  if (transcript === null || isRewriting) return <NoTranscript work={work} speechReady={speech_ready} />
  return (
    <TranscriptView
      key={transcript.id}
      transcript={transcript}
      segmentId={segmentId}
      speechReady={speech_ready}
      onReload={() => answer.refetch()}
    />
  )
}

function NoteTab({ statementId }: { readonly statementId: string | null }) {
  const { id } = useSession()
  const answer = useCall('notes.get', { session_id: id })
  const words = useCall('transcripts.get', { session_id: id })
  const turnName = useMemo(() => {
    const numbers = new Map(words.data?.transcript?.segments.map((segment, index) => [segment.id, index + 1]))
    return (segmentId: string): string | null => {
      const number = numbers.get(segmentId)
      return number === undefined ? null : noteWords.evidence.turn({ number })
    }
  }, [words.data])
  if (answer.data === undefined || (words.data === undefined && words.error === null))
    return <NoAnswer of={answer.data === undefined ? answer : words} loading={noteWords.loading} />
  const { note, work, is_outdated } = answer.data
  const transcript = words.data?.transcript ?? null
  const isTranscribing = words.data !== undefined && isWorking(words.data.work)
  // The draft follows the transcript.
  if (note === null && transcript === null && isTranscribing)
    return <NoTranscript work={words.data!.work} speechReady={words.data!.speech_ready} />
  const hasWords = transcript !== null || isTranscribing
  if (note === null || isWorking(work)) return <NoNote work={work} transcript={transcript} hasWords={hasWords} />
  return (
    <TurnNames value={turnName}>
      {note.signature !== null ? (
        <SignedNote note={note} transcript={transcript} statementId={statementId} />
      ) : (
        <NoteEditor
          trouble={<DraftTrouble template={note.template} work={work} hasNote />}
          key={`${note.id} ${note.created_at}`}
          note={note}
          statementId={statementId}
          isOutdated={is_outdated}
          hasWords={hasWords}
          transcript={transcript}
          onReload={async () => (await answer.refetch()).data?.note ?? null}
        />
      )}
    </TurnNames>
  )
}

function SpokenState() {
  const { id } = useSession()
  const { recording, phase } = useRecorder().state
  const spoken = { recording: sessionWords.stateRecording, paused: sessionWords.statePaused }
  const isSpoken = recording?.session_id === id && (phase === 'recording' || phase === 'paused')
  return (
    <p className="visually-hidden" role="status" aria-live="assertive">
      {isSpoken ? spoken[phase] : ''}
    </p>
  )
}
