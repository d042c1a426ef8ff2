import type { AppState } from '#contract/bridge/app.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { ChoiceSetting, Group, SwitchSetting, Told, type GroupProps } from './setting.tsx'

const words = settingsStrings
const offered = [0, 2, 5, 10, 15, 30, 60] as const

export function PrivacyGroup({ settings }: GroupProps) {
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
        text={words.idle.text(chosen)}
        value={String(chosen)}
        options={minutes.map((count) => ({
          value: String(count),
          label: count === 0 ? words.idle.never : words.idle.minutes(count),
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
