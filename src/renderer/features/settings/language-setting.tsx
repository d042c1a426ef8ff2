import { useState } from 'react'
import { saveEdits } from '#renderer/bridge/closing.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { hasUnsentTexts } from '#renderer/bridge/unsent-text.ts'
import { replaceRoute, settingsPath } from '#renderer/lib/routes.ts'
import { chooseLanguage, chosenLanguage, language, languages, systemLanguage } from '#renderer/strings/locale.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { Setting } from './setting.tsx'

const words = settingsStrings.language
const SYSTEM = 'system'
type Choice = (typeof languages)[number] | typeof SYSTEM

/** Another language needs another catalogue, so the window is loaded again, unless that would interrupt or lose something. */
export function LanguageSetting() {
  const [choice, setChoice] = useState<Choice>(chosenLanguage() ?? SYSTEM)
  const isIdle = useRecorder().state.phase === 'idle'
  const isWaiting = (choice === SYSTEM ? systemLanguage : choice) !== language
  const obstacle = isIdle ? (hasUnsentTexts() ? words.unsaved : undefined) : words.recording
  const reload = (): void => {
    replaceRoute(settingsPath('appearance'))
    void saveEdits().then(() => location.reload())
  }
  const change = (next: Choice): void => {
    const chosen = next === SYSTEM ? undefined : next
    chooseLanguage(chosen)
    setChoice(next)
    if ((chosen ?? systemLanguage) !== language && obstacle === undefined) reload()
  }
  return (
    <Setting label={words.label}>
      <div className="setting-words">
        <p className="setting-label" aria-hidden>
          {words.label}
        </p>
        <p className="setting-text" role="status">
          {isWaiting ? words.waits : words.text}
        </p>
        {isWaiting && <Button onPress={reload} isDisabled={obstacle !== undefined} reason={obstacle} label={words.now} />}
      </div>
      <SelectField
        className="setting-control"
        label={words.label}
        isLabelHidden
        value={choice}
        options={[
          { value: SYSTEM, label: words.system({ name: appStrings.languages[systemLanguage] }) },
          ...languages.map((value) => ({ value, label: appStrings.languages[value] })),
        ]}
        onChange={change}
      />
    </Setting>
  )
}
