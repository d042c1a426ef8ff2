import { useNoteForms } from '#renderer/sessions/note-forms.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { ChoiceSetting, Group, TextSetting, type GroupProps } from './setting.tsx'

const words = settingsStrings

export function NotesGroup({ settings }: GroupProps) {
  const forms = useNoteForms()
  return (
    <Group title={words.groups.notes}>
      <ChoiceSetting
        label={words.template.label}
        text={words.template.text(forms.partsOf(settings.default_template))}
        value={settings.default_template}
        options={forms.options}
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
