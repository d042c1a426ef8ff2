import { useEffect } from 'react'
import { GitCompareArrows } from 'lucide-react'
import { navigate, sessionPath, useRoute, type SessionTab, conflictPath } from '#renderer/lib/navigation.ts'
import { useSettings } from '#renderer/lib/use-settings.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Loading, Page, Problem, Notice } from '#renderer/ui/page.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import type { Conflict } from '#contract/bridge/conflicts.ts'
import { conflictStrings, sessionConflict } from '#renderer/strings/conflicts.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ConsentTab } from './consent/consent-tab.tsx'
import { InsightsTab } from './insights/insights-tab.tsx'
import { NoteTab } from './note/note-tab.tsx'
import { RecordTab } from './record/record-tab.tsx'
import { SpokenState } from './record/spoken-state.tsx'
import type { SessionData } from './session-data.ts'
import { SessionHead } from './session-head.tsx'
import { TranscriptTab } from './transcript/transcript-tab.tsx'
import './session.css'

/** One session: consent, recording, transcript beside its sound, note beside its evidence. */
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

/** On the session's own page: something of it waits for a choice. */
function TwoVersions({ sessionId }: { readonly sessionId: string }) {
  const conflicts = (useCall('conflicts.list', {}).data ?? []).filter(({ session_id }) => session_id === sessionId)
  return conflicts.map((conflict: Conflict) => (
    <div key={conflict.id} className="session-two-versions">
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
