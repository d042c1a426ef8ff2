import type { Template } from '#contract/model/note.ts'
import { settingsStrings, templateParts, templateWords } from '#renderer/strings/settings.ts'
import { ChoiceSetting, Group, TextSetting, type GroupProps } from './setting.tsx'

const words = settingsStrings
const templates = (Object.keys(templateWords) as Template[]).map((template) => ({
  value: template,
  label: templateWords[template],
  detail: templateParts[template],
}))

export function NotesGroup({ settings }: GroupProps) {
  return (
    <Group title={words.groups.notes}>
      <ChoiceSetting
        label={words.template.label}
        text={words.template.text(templateParts[settings.default_template])}
        value={settings.default_template}
        options={templates}
        patch={(default_template) => ({ default_template })}
      />
      <div className="setting-pair">
        <TextSetting
          label={words.name.label}
          help={words.name.text(settings.therapist_name)}
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
