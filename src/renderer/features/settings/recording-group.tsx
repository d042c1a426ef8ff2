import type { Settings } from '#contract/bridge/settings.ts'
import { placesOf } from '#renderer/lib/places.ts'
import { useMicrophones } from '#renderer/lib/use-microphones.ts'
import { settingsStrings as words } from '#renderer/strings/settings.ts'
import {
  checkAddress,
  ChoiceSetting,
  Group,
  SwitchSetting,
  TextSetting,
  Row,
  KeySetting,
  ServerTest,
  useKnownSettings,
} from './setting.tsx'

const speechEngines: readonly Settings['speech_engine'][] = ['local', 'server', 'none']

export function RecordingGroup() {
  const settings = useKnownSettings()
  const { speech } = words
  return (
    <Group title={words.groups.recording}>
      <MicrophoneSetting />
      <SwitchSetting name="transcribe_when_finished" words={words.transcribe} />
      <ChoiceSetting
        label={words.speechEngine.label}
        text={words.speechEngine.text[settings.speech_engine]}
        value={settings.speech_engine}
        options={speechEngines.map((engine) => ({ value: engine, label: words.speechEngine[engine] }))}
        patch={(speech_engine) => ({ speech_engine })}
      />
      {settings.speech_engine !== 'none' && (
        <TextSetting
          name="language"
          label={speech.language}
          help={speech.languageHelp}
          check={(value) => (/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(value) ? null : speech.languageWrong)}
        />
      )}
      {settings.speech_engine === 'server' && <SpeechServer />}
    </Group>
  )
}

const systemMicrophone = 'system'

function MicrophoneSetting() {
  const { microphone_id } = useKnownSettings()
  const devices = useMicrophones() ?? []
  const real = devices.filter(({ deviceId }) => deviceId !== '' && deviceId !== 'default' && deviceId !== 'communications')
  const options = [
    { value: systemMicrophone, label: words.microphone.system },
    ...real.map(({ deviceId, label }, index) => ({
      value: deviceId,
      label: label === '' ? words.microphone.unnamed({ number: index + 1 }) : label,
    })),
  ]
  if (microphone_id !== null && !real.some(({ deviceId }) => deviceId === microphone_id))
    options.push({ value: microphone_id, label: words.microphone.gone })
  // Before the user first allows the microphone, browsers hide device names and stable ids.
  const areNamed = devices.length === 0 || devices.some(({ label }) => label !== '')
  const value = microphone_id ?? systemMicrophone
  const name = options.find((option) => option.value === value)?.label ?? ''
  return (
    <ChoiceSetting
      label={words.microphone.label}
      text={words.microphone.text({ name: name.charAt(0).toLocaleLowerCase() + name.slice(1) })}
      {...(areNamed ? {} : { note: words.microphone.names })}
      value={value}
      options={options}
      patch={(id) => ({ microphone_id: id === systemMicrophone ? null : id })}
    />
  )
}

function SpeechServer() {
  const settings = useKnownSettings()
  const { speech } = words
  const { speech_address: address } = settings
  const host = address === null ? null : new URL(address).host
  const where = placesOf(settings).speech_host === null ? speech.here : speech.elsewhere
  return (
    <>
      <Row label={speech.title} text={host === null ? speech.none : `${speech.set({ host })} ${where}`} />
      <TextSetting name="speech_address" label={speech.address} help={speech.addressHelp} check={checkAddress} />
      <TextSetting name="speech_model" label={speech.model} help={speech.modelHelp} />
      <KeySetting which="speech" kept={speech.keySet} none={speech.keyNone} />
      {address !== null && (
        <ServerTest key={address} method="settings.testSpeech" words={speech} offers={(count) => speech.models({ count })} />
      )}
    </>
  )
}
