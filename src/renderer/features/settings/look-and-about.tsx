import { useState } from 'react'
import type { Settings } from '#contract/bridge/settings.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { ShortcutsDialog } from '#renderer/lib/shortcuts-dialog.tsx'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ChoiceSetting, Group, SwitchSetting, Told, type GroupProps } from './setting.tsx'

const words = settingsStrings
const themes: readonly Settings['theme'][] = ['system', 'light', 'dark']

export function LookGroup({ settings }: GroupProps) {
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

export function AboutGroup() {
  const app = useAppState()
  if (!app) return null
  return (
    <Group title={words.groups.about}>
      <Told label={words.about.version(app.app_version)}>
        {app.shell === 'electron' ? words.about.electron : words.about.preview} {words.about.engine}
      </Told>
      <Told label={words.about.folder}>{app.data_folder}</Told>
      <ShortcutsList />
    </Group>
  )
}
