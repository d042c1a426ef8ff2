import { isWebAddress } from '#renderer/lib/places.ts'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { movingPlaces, serviceKeyText } from '#renderer/strings/moving.ts'
import { broughtSentence, offersSentence, unlistedSentence, uploadStrings } from '#renderer/strings/practice.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { MovingSetting } from './moving/moving-setting.tsx'
import { Group, TextSetting, Told, type GroupProps, ChoiceSetting, SwitchSetting, KeySetting } from './setting.tsx'

const words = settingsStrings
const unknownKey = { state: 'unknown', ends_at: null, renews: false } as const

export function PracticeGroup({ settings }: GroupProps) {
  const { service } = words
  const address = settings.service_address
  const offers = useCall('service.offers', {}).data
  const moving = useCall('moving.state', {}).data
  const keyState = useCall('moving.keyState', {}).data ?? unknownKey
  const stays = offers === undefined ? null : offersSentence(offers)
  const comes = offers === undefined ? [] : [broughtSentence(offers), unlistedSentence(offers)].filter((one) => one !== null)
  return (
    <Group title={words.groups.practice}>
      <TextSetting
        label={words.practiceName.label}
        help={words.practiceName.text}
        value={settings.practice_name ?? ''}
        patch={(value) => ({ practice_name: value === '' ? null : value })}
      />
      <Told label={service.title}>
        {movingPlaces(moving) ?? (address === null ? service.embedded : service.set({ host: new URL(address).host }))}
      </Told>
      {address !== null && stays !== null && <Told label={service.keeps}>{stays}</Told>}
      {address !== null && comes.length > 0 && <Told label={service.comes}>{comes.join(' ')}</Told>}
      {address !== null && (
        <TextSetting
          label={service.address}
          help={service.addressHelp}
          value={address}
          check={(value) => (isWebAddress(value) ? null : words.wrongAddress)}
          patch={(value) => ({ service_address: value })}
        />
      )}
      {address !== null && <SignInSetting />}
      {(address !== null || settings.service_has_key) && (
        <KeySetting
          which="service"
          hasKey={settings.service_has_key}
          text={settings.service_has_key ? serviceKeyText(keyState, service.keySet) : service.keyNone}
        />
      )}
      {address !== null && <UploadSettings settings={settings} />}
      <MovingSetting settings={settings} />
    </Group>
  )
}

const signInWords = settingsStrings.service

/** Uses the system browser, which shows whose page it is. No password is typed into the app. */
function SignInSetting() {
  const begin = useAction('settings.signIn')
  const finish = useAction('settings.finishSignIn')
  const signIn = async (): Promise<void> => {
    finish.reset()
    const page = await begin.mutateAsync({}).catch(() => null)
    if (page === null) return
    finish.mutate({})
    window.open(page.address, '_blank', 'noopener')
  }
  const error = begin.error ?? finish.error
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{signInWords.signIn}</p>
        <p className="setting-text" role="status">
          {finish.isPending ? signInWords.signInWaiting : finish.isSuccess ? signInWords.signInDone : signInWords.signInText}
        </p>
        {error && error.code !== 'cancelled' && <Problem code={error.code} />}
      </div>
      <div className="setting-actions">
        <Button onPress={() => void signIn()}>{finish.isPending ? signInWords.signInAgain : signInWords.signInOpen}</Button>
      </div>
    </div>
  )
}

const uploadWords = uploadStrings
/** Kilobytes a second for a slow line with a video call on it, for a typical line, and for a fast line. */
const speeds = [32, 100, 500]

function UploadSettings({ settings }: GroupProps) {
  const { upload_limit: limit, upload_on_metered, network_metered } = settings
  const offered = limit === null || speeds.includes(limit) ? speeds : [...speeds, limit].toSorted((one, other) => one - other)
  return (
    <>
      <ChoiceSetting
        label={uploadWords.speed.label}
        text={limit === null ? uploadWords.speed.text.none : uploadWords.speed.text.limited({ kb: limit })}
        value={limit === null ? 'none' : String(limit)}
        options={[
          { value: 'none', label: uploadWords.speed.options.none },
          ...offered.map((kb) => ({
            value: String(kb),
            label: uploadWords.speed.options.limited({ kb }),
            detail: uploadWords.speed.options.detail(kb),
          })),
        ]}
        patch={(value) => ({ upload_limit: value === 'none' ? null : Number(value) })}
      />
      <SwitchSetting
        label={uploadWords.onMetered.label}
        text={upload_on_metered ? uploadWords.onMetered.on : uploadWords.onMetered.off}
        isOn={upload_on_metered}
        patch={(isOn) => ({ upload_on_metered: isOn })}
      />
      {!upload_on_metered && <MeteredSetting isOn={network_metered} />}
    </>
  )
}

function MeteredSetting({ isOn }: { readonly isOn: boolean }) {
  const { data } = useCall('settings.network', {})
  return (
    <SwitchSetting
      label={uploadWords.metered.label}
      text={isOn ? uploadWords.metered.on : uploadWords.metered[said(data?.metered ?? null)]}
      isOn={isOn}
      patch={(network_metered) => ({ network_metered })}
    />
  )
}

const said = (metered: boolean | null): 'said' | 'denied' | 'unknown' =>
  metered === null ? 'unknown' : metered ? 'said' : 'denied'
