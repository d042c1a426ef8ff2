import { useSettings } from '#renderer/lib/use-settings.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Loading, Page, Problem } from '#renderer/ui/page.tsx'
import { AccessGroup } from './access-group.tsx'
import { AboutGroup, LookGroup } from './look-and-about.tsx'
import { FormsGroup } from './forms/forms-group.tsx'
import { NotesGroup } from './notes-group.tsx'
import { PracticeGroup } from './practice-group.tsx'
import { PrivacyGroup } from './privacy-group.tsx'
import { RecordingGroup } from './recording-group.tsx'
import { ReportsGroup } from './reports-group.tsx'
import { SpeechModelsGroup } from './speech-models-group.tsx'
import { UpdatesGroup } from './updates-group.tsx'
import { VoiceGroup } from './voice-group.tsx'
import { WorkingHoursGroup } from './working-hours-group.tsx'
import { WriterGroup } from './writer-group.tsx'
import './settings.css'

/** One column of sentences; each shows its present value, takes effect at once, and says what it will do. */
export function SettingsPage() {
  const settings = useSettings()
  const { error, refetch } = useCall('settings.get', {})
  return (
    <Page title={settingsStrings.title} lead={settingsStrings.lead} className="settings-page">
      {error && <Problem code={error.code} onRetry={() => void refetch()} />}
      {!settings && !error && <Loading />}
      {settings && (
        <div className="settings">
          <RecordingGroup settings={settings} />
          <SpeechModelsGroup settings={settings} />
          <VoiceGroup settings={settings} />
          <WriterGroup settings={settings} />
          <NotesGroup settings={settings} />
          <FormsGroup />
          <WorkingHoursGroup />
          <PrivacyGroup settings={settings} />
          <AccessGroup />
          <PracticeGroup settings={settings} />
          <LookGroup settings={settings} />
          <UpdatesGroup settings={settings} />
          <ReportsGroup />
          <AboutGroup />
        </div>
      )}
    </Page>
  )
}
