import { settingsSections, type SettingsSection } from '#renderer/lib/routes.ts'
import { updateStrings } from '#renderer/strings/app.ts'
import { modelStrings, writerWords } from '#renderer/strings/engines.ts'
import { formWords, snippetWords } from '#renderer/strings/forms.ts'
import { movingStrings } from '#renderer/strings/moving.ts'
import { uploadStrings } from '#renderer/strings/practice.ts'
import { accessStrings, settingsStrings as words, voiceStrings } from '#renderer/strings/settings.ts'
import { hoursStrings } from '#renderer/strings/calendar.ts'

interface SearchableSetting {
  readonly section: SettingsSection
  readonly label: string
  /** Labels of settings that show only after a choice in this one. */
  readonly also: readonly string[]
}

const { speech } = words
const { local, choice } = writerWords
const server = [speech.address, speech.model, speech.key, speech.test]

/** The labels of each section, in the order of the page. */
const listed: Readonly<Record<SettingsSection, readonly (string | readonly [label: string, ...also: string[]])[]>> = {
  account: [
    words.name.label,
    words.credential.label,
    words.onExports.therapist_license.label,
    words.onExports.therapist_license_state.label,
    words.onExports.supervisor_name.label,
    words.onExports.supervisor_license.label,
    words.onExports.therapist_npi.label,
    [words.hideNames.label, words.hideFromCapture.label, words.notify.label],
    words.idle.label,
    words.protection.label,
    words.erasing.label,
    [accessStrings.title, accessStrings.passphrase.label],
    accessStrings.code.label,
  ],
  recording: [
    words.microphone.label,
    words.transcribe.label,
    [words.speechEngine.label, speech.title, ...server],
    speech.language,
    [voiceStrings.group, voiceStrings.label],
    [modelStrings.group, modelStrings.noise.label, modelStrings.set.title],
  ],
  notes: [
    words.template.label,
    formWords.group,
    snippetWords.group,
    writerWords.title,
    [choice.label, ...server, writerWords.context, local.file],
  ],
  schedule: [hoursStrings.group, hoursStrings.label, hoursStrings.off.label],
  practice: [
    words.practiceName.label,
    words.onExports.practice_address.label,
    words.onExports.practice_phone.label,
    words.onExports.practice_npi.label,
    [words.service.title, words.service.signIn, words.service.address, movingStrings.title, movingStrings.back.title],
    [words.groups.practice, uploadStrings.speed.label, uploadStrings.onMetered.label, uploadStrings.metered.label],
  ],
  appearance: [words.theme.label, words.singleKeys.label, words.language.label, words.locale.label],
  advanced: [
    [local.group, local.file, local.folder],
    [modelStrings.models, ...Object.values(modelStrings.tasks)],
    modelStrings.import.title,
    modelStrings.mirror.label,
    [updateStrings.group, updateStrings.automatic.label, updateStrings.mirror.label],
    [words.groups.about, words.about.folder],
    words.about.shortcuts,
  ],
}

export const searchableSettings: readonly SearchableSetting[] = settingsSections.flatMap((section) =>
  listed[section].map((entry) => {
    const [label, ...also] = typeof entry === 'string' ? [entry] : entry
    return { section, label, also }
  }),
)
