import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Settings } from '#contract/bridge/settings.ts'
import { placesOf, isWebAddress } from '#renderer/lib/places.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import type { SelectOption } from '#renderer/ui/field.tsx'
import { ChoiceSetting, Group, SwitchSetting, TextSetting, Told, type GroupProps, KeySetting } from './setting.tsx'

const words = settingsStrings
const speechEngines: readonly Settings['speech_engine'][] = ['local', 'server', 'none']

export function RecordingGroup({ settings }: GroupProps) {
  const { transcribe } = words
  return (
    <Group title={words.groups.recording}>
      <MicrophoneSetting settings={settings} />
      <SwitchSetting
        label={transcribe.label}
        text={settings.transcribe_when_finished ? transcribe.on : transcribe.off}
        isOn={settings.transcribe_when_finished}
        patch={(transcribe_when_finished) => ({ transcribe_when_finished })}
      />
      <ChoiceSetting
        label={words.speechEngine.label}
        text={words.speechEngine.text[settings.speech_engine]}
        value={settings.speech_engine}
        options={speechEngines.map((engine) => ({ value: engine, label: words.speechEngine[engine] }))}
        patch={(speech_engine) => ({ speech_engine })}
      />
      {settings.speech_engine !== 'none' && <SpokenLanguage settings={settings} />}
      {settings.speech_engine === 'server' && <SpeechServer settings={settings} />}
    </Group>
  )
}

function MicrophoneSetting({ settings }: GroupProps) {
  const { options, areNamed } = useMicrophones(settings.microphone_id)
  const value = settings.microphone_id ?? systemMicrophone
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

function SpokenLanguage({ settings }: GroupProps) {
  const { speech } = words
  return (
    <TextSetting
      label={speech.language}
      help={speech.languageHelp}
      value={settings.language}
      check={(value) => (/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(value) ? null : speech.languageWrong)}
      patch={(language) => ({ language })}
    />
  )
}

function SpeechServer({ settings }: GroupProps) {
  const { speech } = words
  const { speech_host } = placesOf(settings)
  const address = settings.speech_address
  const orNull = (value: string): string | null => (value === '' ? null : value)
  return (
    <>
      <Told label={speech.title}>
        {address === null
          ? speech.none
          : `${speech.set({ host: new URL(address).host })} ${speech_host === null ? speech.here : speech.elsewhere}`}
      </Told>
      <TextSetting
        label={speech.address}
        help={speech.addressHelp}
        value={address ?? ''}
        check={(value) => (value === '' || isWebAddress(value) ? null : words.wrongAddress)}
        patch={(value) => ({ speech_address: orNull(value) })}
      />
      <TextSetting
        label={speech.model}
        help={speech.modelHelp}
        value={settings.speech_model ?? ''}
        patch={(value) => ({ speech_model: orNull(value) })}
      />
      <KeySetting
        which="speech"
        hasKey={settings.speech_has_key}
        text={settings.speech_has_key ? speech.keySet : speech.keyNone}
      />
      {address !== null && <SpeechTest key={address} />}
    </>
  )
}

function SpeechTest() {
  const { speech } = words
  const test = useAction('settings.testSpeech')
  return (
    <div className="setting setting-test">
      <Button busy={test.isPending ? speech.testing : undefined} onPress={() => test.mutate({})}>
        {speech.test}
      </Button>
      <div role="status" className="setting-test-answer">
        {test.data?.ready && (
          <Notice tone="kept" icon={CircleCheck} title={speech.ready}>
            {test.data.models.length > 0 && speech.models({ count: test.data.models.length })}
          </Notice>
        )}
        {test.data && !test.data.ready && (
          <Notice tone="needs" icon={TriangleAlert} title={speech.notReady}>
            {test.data.hint}
          </Notice>
        )}
        {test.error && <Problem code={test.error.code} />}
      </div>
    </div>
  )
}

const systemMicrophone = 'system'

interface Microphones {
  readonly options: readonly SelectOption[]
  /** False before the user first allows the microphone. Until then browsers hide device names and stable ids. */
  readonly areNamed: boolean
}

const microphonesWords = settingsStrings.microphone

/** Lists devices without opening one. The selected device stays in the list even if it is unplugged. */
function useMicrophones(chosenId: string | null): Microphones {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  useEffect(() => {
    const media = navigator.mediaDevices
    if (media === undefined) return undefined
    let isGone = false
    const look = async (): Promise<void> => {
      const found = await media.enumerateDevices()
      if (!isGone) setDevices(found.filter(({ kind }) => kind === 'audioinput'))
    }
    const heard = (): void => void look()
    heard()
    media.addEventListener('devicechange', heard)
    return () => {
      isGone = true
      media.removeEventListener('devicechange', heard)
    }
  }, [])
  const real = devices.filter(({ deviceId }) => deviceId !== '' && deviceId !== 'default' && deviceId !== 'communications')
  const options: SelectOption[] = [
    { value: systemMicrophone, label: microphonesWords.system },
    ...real.map(({ deviceId, label }, index) => ({
      value: deviceId,
      label: label === '' ? microphonesWords.unnamed({ number: index + 1 }) : label,
    })),
  ]
  if (chosenId !== null && !real.some(({ deviceId }) => deviceId === chosenId))
    options.push({ value: chosenId, label: microphonesWords.gone })
  return { options, areNamed: devices.length === 0 || devices.some(({ label }) => label !== '') }
}
