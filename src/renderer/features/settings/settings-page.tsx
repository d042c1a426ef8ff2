import { useState } from 'react'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Loading, Page, Problem } from '#renderer/ui/page.tsx'
import { useNoteForms } from '#renderer/sessions/note-forms.ts'
import type { AppState } from '#contract/bridge/app.ts'
import { useAppState, useSettings } from '#renderer/lib/app-state.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import { ShortcutsDialog } from '#renderer/lib/shortcuts-dialog.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { AccessGroup } from './access-group.tsx'
import { FormsGroup } from './forms/forms-group.tsx'
import { PracticeGroup } from './practice-group.tsx'
import { RecordingGroup } from './recording-group.tsx'
import { LifeBuoy } from 'lucide-react'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { headingOf, ReportText } from '#renderer/lib/recovery-report.tsx'
import { reportWords } from '#renderer/strings/recovery.ts'
import { formatFullDate } from '#renderer/strings/time.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SpeechModelsGroup } from './speech-models-group.tsx'
import { UpdatesGroup } from './updates-group.tsx'
import { VoiceGroup } from './voice-group.tsx'
import { WorkingHoursGroup } from './working-hours-group.tsx'
import { WriterGroup } from './writer-group.tsx'
import { ChoiceSetting, Group, TextSetting, type GroupProps, SwitchSetting, Told } from './setting.tsx'
import './settings.css'

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

const words = settingsStrings

function NotesGroup({ settings }: GroupProps) {
  const forms = useNoteForms()
  return (
    <Group title={words.groups.notes}>
      <ChoiceSetting
        label={words.template.label}
        text={words.template.text({ parts: forms.partsOf(settings.default_template) })}
        value={settings.default_template}
        options={forms.options}
        patch={(default_template) => ({ default_template })}
      />
      <div className="setting-pair">
        <TextSetting
          label={words.name.label}
          help={words.name.text({ name: settings.therapist_name })}
          value={settings.therapist_name}
          check={(value) => (value === '' ? words.name.missing : null)}
          patch={(therapist_name) => ({ therapist_name })}
        />
        <TextSetting
          label={words.credential.label}
          help={words.credential.text}
          value={settings.therapist_credential ?? ''}
          patch={(value) => ({ therapist_credential: value === '' ? null : value })}
        />
      </div>
    </Group>
  )
}

const offered = [0, 2, 5, 10, 15, 30, 60] as const

function PrivacyGroup({ settings }: GroupProps) {
  const state = useAppState()
  const protection = state?.protection
  const chosen = settings.idle_lock_minutes
  const minutes = [...new Set([...offered, chosen])].toSorted((one, other) => one - other)
  return (
    <Group title={words.groups.privacy}>
      <SwitchSetting
        label={words.hideNames.label}
        text={settings.hide_names ? words.hideNames.on : words.hideNames.off}
        isOn={settings.hide_names}
        patch={(hide_names) => ({ hide_names })}
      />
      {canHideFromCapture(state) && (
        <SwitchSetting
          label={words.hideFromCapture.label}
          text={settings.hide_from_capture ? words.hideFromCapture.on : words.hideFromCapture.off}
          isOn={settings.hide_from_capture}
          patch={(hide_from_capture) => ({ hide_from_capture })}
        />
      )}
      <ChoiceSetting
        label={words.idle.label}
        text={words.idle.text({ minutes: chosen })}
        value={String(chosen)}
        options={minutes.map((count) => ({
          value: String(count),
          label: count === 0 ? words.idle.never : words.idle.minutes({ minutes: count }),
        }))}
        patch={(value) => ({ idle_lock_minutes: Number(value) })}
      />
      <Told label={words.protection.label}>
        {protection === 'keychain' ? words.protection.keychain : words.protection.passphrase} {words.protection.code}
      </Told>
      <Told label={words.erasing.label}>{words.erasing.text}</Told>
    </Group>
  )
}

function canHideFromCapture(state: AppState | undefined): boolean {
  return state?.shell === 'electron' && (state.platform === 'darwin' || state.platform === 'win32')
}

const themes: readonly Settings['theme'][] = ['system', 'light', 'dark']

function LookGroup({ settings }: GroupProps) {
  return (
    <Group title={words.groups.look}>
      <ChoiceSetting
        label={words.theme.label}
        text={words.theme.text}
        value={settings.theme}
        options={themes.map((theme) => ({ value: theme, label: words.theme[theme] }))}
        patch={(theme) => ({ theme })}
      />
      <SwitchSetting
        label={words.singleKeys.label}
        text={settings.single_key_shortcuts ? words.singleKeys.on : words.singleKeys.off}
        isOn={settings.single_key_shortcuts}
        patch={(single_key_shortcuts) => ({ single_key_shortcuts })}
      />
    </Group>
  )
}

function ShortcutsList() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{words.about.shortcuts}</p>
        <p className="setting-text">{words.about.shortcutsText}</p>
      </div>
      <Button onPress={() => setOpen(true)}>{words.about.showShortcuts}</Button>
      <ShortcutsDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </div>
  )
}

function AboutGroup() {
  const app = useAppState()
  if (!app) return null
  return (
    <Group title={words.groups.about}>
      <Told label={words.about.version({ version: app.app_version })}>
        {app.shell === 'electron' ? words.about.electron : words.about.preview} {words.about.engine}
      </Told>
      <Told label={words.about.folder}>{app.data_folder}</Told>
      <ShortcutsList />
    </Group>
  )
}

function ReportsGroup() {
  const reports = useCall('recovery.readReports', {}).data ?? []
  const [shown, setShown] = useState<RecoveryReport | null>(null)
  if (reports.length === 0) return null
  return (
    <Group title={reportWords.group}>
      {reports.map((report) => {
        const { title, lead } = headingOf(report)
        return (
          <div key={report.id} className="setting">
            <div className="setting-words">
              <p className="setting-label">{reportWords.ofDay({ day: formatFullDate(report.at), title })}</p>
              <p className="setting-text">{lead}</p>
            </div>
            <Button onPress={() => setShown(report)}>{reportWords.show}</Button>
          </div>
        )
      })}
      {shown !== null && <ReadReport report={shown} onClose={() => setShown(null)} />}
    </Group>
  )
}

function ReadReport({ report, onClose }: { readonly report: RecoveryReport; readonly onClose: () => void }) {
  const remove = useAction('recovery.removeRead')
  const isOfSessions = report.items.some(({ is_recovered, session_id }) => !is_recovered && session_id !== null)
  return (
    <Dialog
      {...headingOf(report)}
      icon={LifeBuoy}
      isOpen
      onClose={onClose}
      isReading
      size="wide"
      actions={
        <>
          <Button
            busy={remove.isPending ? reportWords.removing : undefined}
            onPress={() => remove.mutate({ id: report.id }, { onSuccess: onClose })}
          >
            {reportWords.remove}
          </Button>
          <Button variant="filled" onPress={onClose}>
            {reportWords.close}
          </Button>
        </>
      }
    >
      <ReportText report={report} />
      {isOfSessions && <p className="caption">{reportWords.removeHelp}</p>}
      {remove.error !== null && <Problem code={remove.error.code} />}
    </Dialog>
  )
}
