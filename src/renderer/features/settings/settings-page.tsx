import { useEffect, useState, type ReactNode } from 'react'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Answer, Page, Problem } from '#renderer/ui/page.tsx'
import { useNoteForms } from '#renderer/sessions/note-forms.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import type { SettingsSection } from '#renderer/lib/routes.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import { ShortcutsDialog } from '#renderer/lib/shortcuts-dialog.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { AccessGroup } from './access-group.tsx'
import { FormsGroup } from './forms/forms-group.tsx'
import { SnippetsGroup } from './forms/snippets-group.tsx'
import { PracticeGroup } from './practice-group.tsx'
import { RecordingGroup } from './recording-group.tsx'
import { LifeBuoy } from 'lucide-react'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { headingOf, ReportText } from '#renderer/lib/recovery-report.tsx'
import { reportWords } from '#renderer/strings/recovery.ts'
import { localeName, offeredLocales } from '#renderer/strings/locale.ts'
import { formatClock, formatFullDate } from '#renderer/strings/time.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { LanguageSetting } from './language-setting.tsx'
import { SettingsIndex } from './settings-index.tsx'
import { SpeechModelsGroup } from './speech-models-group.tsx'
import { TranscriptionGroup } from './transcription-group.tsx'
import { UpdatesGroup } from './updates-group.tsx'
import { VoiceGroup } from './voice-group.tsx'
import { WorkingHoursGroup } from './working-hours-group.tsx'
import { DraftModelGroup, WriterGroup } from './writer-group.tsx'
import { ChoiceSetting, Group, TextSetting, SwitchSetting, Row, SettingsContext, useKnownSettings } from './setting.tsx'
import './settings.css'

const contents: Readonly<Record<SettingsSection, () => ReactNode>> = {
  account: () => [<ProfileGroup key="profile" />, <PrivacyGroup key="privacy" />, <AccessGroup key="access" />],
  recording: () => [<RecordingGroup key="recording" />, <VoiceGroup key="voice" />, <TranscriptionGroup key="transcription" />],
  notes: () => [
    <NotesGroup key="notes" />,
    <FormsGroup key="forms" />,
    <SnippetsGroup key="snippets" />,
    <WriterGroup key="writer" />,
  ],
  schedule: () => <WorkingHoursGroup />,
  practice: () => <PracticeGroup />,
  appearance: () => [<LookGroup key="look" />, <DatesGroup key="dates" />],
  advanced: () => [
    <SpeechModelsGroup key="models" />,
    <DraftModelGroup key="draft" />,
    <UpdatesGroup key="updates" />,
    <ReportsGroup key="reports" />,
    <AboutGroup key="about" />,
  ],
}

/** The section shown last, until the window closes. */
let shownLast: SettingsSection = 'account'

export function SettingsPage({ section: chosen }: { readonly section: SettingsSection | null }) {
  const answer = useCall('settings.get', {})
  const section = chosen ?? shownLast
  useEffect(() => {
    shownLast = section
  }, [section])
  return (
    <div className="settings-page">
      <SettingsIndex section={section} />
      <Page key={section} title={settingsStrings.sections[section]} lead={settingsStrings.lead}>
        <Answer of={answer}>
          {(settings) => (
            <SettingsContext value={settings}>
              <div className="settings">{contents[section]()}</div>
            </SettingsContext>
          )}
        </Answer>
      </Page>
    </div>
  )
}

const words = settingsStrings

const license = [
  'therapist_license',
  'therapist_license_state',
  'supervisor_name',
  'supervisor_license',
  'therapist_npi',
] as const

function ProfileGroup() {
  const { therapist_name } = useKnownSettings()
  return (
    <Group title={words.groups.profile}>
      <div className="setting-pair">
        <TextSetting
          name="therapist_name"
          label={words.name.label}
          help={words.name.text({ name: therapist_name })}
          check={(value) => (value === '' ? words.name.missing : null)}
        />
        <TextSetting name="therapist_credential" label={words.credential.label} help={words.credential.text} />
        {license.map((name) => (
          <TextSetting key={name} name={name} {...words.onExports[name]} />
        ))}
      </div>
    </Group>
  )
}

function NotesGroup() {
  const settings = useKnownSettings()
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
    </Group>
  )
}

const offered = [0, 2, 5, 10, 15, 30, 60] as const

function PrivacyGroup() {
  const settings = useKnownSettings()
  const state = useAppState()
  const canHideFromCapture = state?.shell === 'electron' && ['darwin', 'win32'].includes(state.platform)
  const { protection } = words
  const method = state?.protection === 'keychain' ? 'keychain' : 'passphrase'
  const chosen = settings.idle_lock_minutes
  const minutes = [...new Set([...offered, chosen])].toSorted((one, other) => one - other)
  return (
    <Group title={words.groups.privacy}>
      <SwitchSetting name="hide_names" words={words.hideNames} />
      {canHideFromCapture && <SwitchSetting name="hide_from_capture" words={words.hideFromCapture} />}
      {state?.shell === 'electron' && <SwitchSetting name="notify_when_ready" words={words.notify} />}
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
      <Row label={protection.label} text={`${protection[method]} ${protection.code}`} />
      <Row label={words.erasing.label} text={words.erasing.text} />
    </Group>
  )
}

const SYSTEM = 'system'

function DatesGroup() {
  const { locale } = useKnownSettings()
  const system = useAppState()?.system_locale ?? ''
  const tags = [...new Set([...offeredLocales, ...(locale === null ? [] : [locale])])]
  const at = new Date(2026, 10, 24, 14, 2)
  return (
    <Group title={words.groups.dates}>
      <LanguageSetting />
      <ChoiceSetting
        label={words.locale.label}
        text={words.locale.text({ example: `${formatFullDate(at)}, ${formatClock(at)}` })}
        value={locale ?? SYSTEM}
        options={[
          { value: SYSTEM, label: words.locale.system({ name: localeName(system) }) },
          ...tags.map((tag) => ({ value: tag, label: localeName(tag) })),
        ]}
        patch={(tag) => ({ locale: tag === SYSTEM ? null : tag })}
      />
    </Group>
  )
}

const themes: readonly Settings['theme'][] = ['system', 'light', 'dark']

function LookGroup() {
  const settings = useKnownSettings()
  return (
    <Group title={words.groups.look}>
      <ChoiceSetting
        label={words.theme.label}
        text={words.theme.text}
        value={settings.theme}
        options={themes.map((theme) => ({ value: theme, label: words.theme[theme] }))}
        patch={(theme) => ({ theme })}
      />
      <SwitchSetting name="single_key_shortcuts" words={words.singleKeys} />
    </Group>
  )
}

function AboutGroup() {
  const app = useAppState()
  const [isOpen, setOpen] = useState(false)
  if (!app) return null
  const { about } = words
  const shell = app.shell === 'electron' ? about.electron : about.preview
  const show = <Button onPress={() => setOpen(true)} label={about.showShortcuts} />
  return (
    <Group title={words.groups.about}>
      <Row label={about.version({ version: app.app_version })} text={`${shell} ${about.engine}`} />
      <Row label={about.folder} text={app.data_folder} />
      <Row label={about.shortcuts} text={about.shortcutsText} action={show} />
      {isOpen && <ShortcutsDialog onClose={() => setOpen(false)} />}
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
          <Row
            key={report.id}
            label={reportWords.ofDay({ day: formatFullDate(report.at), title })}
            text={lead}
            action={<Button onPress={() => setShown(report)} label={reportWords.show} />}
          />
        )
      })}
      {shown !== null && <ReadReport report={shown} onClose={() => setShown(null)} />}
    </Group>
  )
}

function ReadReport({ report, onClose }: { readonly report: RecoveryReport; readonly onClose: () => void }) {
  const { isPending, error, mutate } = useAction('recovery.removeRead')
  const isOfSessions = report.items.some(({ is_recovered, session_id }) => !is_recovered && session_id !== null)
  return (
    <Dialog
      {...headingOf(report)}
      icon={LifeBuoy}
      onClose={onClose}
      isReading
      size="wide"
      actions={
        <>
          <Button
            busy={isPending && reportWords.removing}
            onPress={() => mutate({ id: report.id }, { onSuccess: onClose })}
            label={reportWords.remove}
          />
          <Button variant="filled" onPress={onClose} label={reportWords.close} />
        </>
      }
    >
      <ReportText report={report} />
      {isOfSessions && <p className="caption">{reportWords.removeHelp}</p>}
      {error !== null && <Problem code={error.code} />}
    </Dialog>
  )
}
