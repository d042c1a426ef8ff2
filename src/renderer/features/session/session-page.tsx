import { useEffect, useMemo } from 'react'
import { GitCompareArrows } from 'lucide-react'
import { navigate, sessionPath, useRoute, type SessionTab, conflictPath } from '#renderer/lib/routes.ts'
import { useSettings } from '#renderer/lib/app-state.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Loading, Page, Problem, Notice, Tabs } from '#renderer/ui/page.tsx'
import type { Conflict } from '#contract/bridge/conflicts.ts'
import { conflictStrings, sessionConflict } from '#renderer/strings/conflicts.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ConsentTab } from './consent/consent-tab.tsx'
import { insightWords } from '#renderer/strings/insights.ts'
import { useWorkProgress } from './session-data.ts'
import { InsightsView } from './insights/insights-view.tsx'
import { NoInsights } from './insights/no-insights.tsx'
import './insights/insights.css'
import './insights/figures.css'
import './insights/insights-aside.css'
import { noteWords } from '#renderer/strings/note.ts'
import { TurnNames } from './note/evidence-panel.tsx'
import { NoNote, DraftTrouble } from './note/no-note.tsx'
import { NoteEditor } from './note/note-editor.tsx'
import { SignedNote } from './note/signed-note.tsx'
import './note/note.css'
import './note/note-evidence.css'
import './note/note-findings.css'
import './note/note-signing.css'
import { LostParts } from './notices.tsx'
import { RecordTab } from './record/record-tab.tsx'
import type { SessionData } from './session-data.ts'
import { SessionHead } from './session-head.tsx'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { NoTranscript } from './transcript/no-transcript.tsx'
import { TranscriptView } from './transcript/transcript-view.tsx'
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
  const running = state.recording !== null && state.recording.session_id === id && state.phase !== 'idle' ? state.recording : null
  return <Workspace data={{ row: row.data, settings, recording: running ?? stored.data }} tab={tab} />
}

function Workspace({ data, tab }: { readonly data: SessionData; readonly tab: SessionTab }) {
  const { id } = data.row.session
  const route = useRoute()
  const segmentId = route.page === 'session' ? route.segment_id : null
  const go = (next: SessionTab): void => navigate(sessionPath(id, next))
  useEffect(() => {
    document.querySelector<HTMLElement>('.session-page')?.focus({ preventScroll: true })
  }, [id])
  return (
    <main className="session-page" data-region tabIndex={-1}>
      <SessionHead data={data} tab={tab} />
      <SpokenState sessionId={id} />
      <LostParts sessionId={id} />
      <TwoVersions sessionId={id} />
      <Tabs
        className="session-tabs"
        label={sessionWords.tabsLabel}
        selected={tab}
        onSelect={go}
        items={[
          { id: 'record', label: sessionWords.tabs.record, content: <RecordTab data={data} /> },
          { id: 'transcript', label: sessionWords.tabs.transcript, content: <TranscriptTab data={data} segmentId={segmentId} /> },
          { id: 'note', label: sessionWords.tabs.note, content: <NoteTab data={data} /> },
          { id: 'insights', label: sessionWords.tabs.insights, content: <InsightsTab data={data} /> },
          { id: 'consent', label: sessionWords.tabs.consent, content: <ConsentTab data={data} /> },
        ]}
      />
    </main>
  )
}

function TwoVersions({ sessionId }: { readonly sessionId: string }) {
  const conflicts = (useCall('conflicts.list', {}).data ?? []).filter(({ session_id }) => session_id === sessionId)
  return conflicts.map((conflict: Conflict) => (
    <div key={conflict.id} className="session-notice">
      <Notice
        tone="needs"
        icon={GitCompareArrows}
        actions={
          <Button size="row" onPress={() => navigate(conflictPath(conflict.id))}>
            {conflictStrings.open}
          </Button>
        }
      >
        {sessionConflict(conflict)}
      </Notice>
    </div>
  ))
}

function InsightsTab({ data }: { readonly data: SessionData }) {
  const input = { session_id: data.row.session.id }
  const answer = useCall('insights.get', input)
  const words = useCall('transcripts.get', input)
  const work = useWorkProgress(input.session_id, 'analyze', answer.data?.work ?? { state: 'idle', progress: 0, error: null })
  if (answer.data === undefined || (words.data === undefined && words.error === null)) {
    return (
      <div className="tab-body">
        {answer.error === null ? (
          <Loading>{insightWords.loading}</Loading>
        ) : (
          <Problem code={answer.error.code} onRetry={() => void answer.refetch()} />
        )}
      </div>
    )
  }
  const { analysis } = answer.data
  const transcript = words.data?.transcript ?? null
  if (analysis === null) return <NoInsights data={data} insights={answer.data} work={work} />
  return <InsightsView data={data} insights={answer.data} analysis={analysis} work={work} transcript={transcript} />
}

function TranscriptTab({ data, segmentId }: { readonly data: SessionData; readonly segmentId: string | null }) {
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

function NoteTab({ data }: { readonly data: SessionData }) {
  const input = { session_id: data.row.session.id }
  const answer = useCall('notes.get', input)
  const words = useCall('transcripts.get', input)
  const turnName = useMemo(() => {
    const numbers = new Map((words.data?.transcript?.segments ?? []).map((segment, index) => [segment.id, index + 1]))
    return (id: string): string | null => {
      const number = numbers.get(id)
      return number === undefined ? null : noteWords.evidence.turn({ number })
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

/** Tells screen readers when this session's recording starts, pauses or resumes. The running time is never announced. */
function SpokenState({ sessionId }: { readonly sessionId: string }) {
  const { state } = useRecorder()
  const isHere = state.recording?.session_id === sessionId
  const words =
    !isHere || state.phase === 'idle'
      ? ''
      : state.phase === 'paused'
        ? sessionWords.statePaused
        : state.phase === 'recording'
          ? sessionWords.stateRecording
          : ''
  return (
    <p className="visually-hidden" role="status" aria-live="assertive">
      {words}
    </p>
  )
}
