import { useCall } from '#renderer/bridge/use-bridge.ts'
import { movingPlaces, serviceKeyText } from '#renderer/strings/moving.ts'
import { broughtSentence, offersSentence, unlistedSentence, uploadStrings } from '#renderer/strings/practice.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useSignIn } from './moving/moving-form.tsx'
import { MovingSetting } from './moving/moving-setting.tsx'
import { checkAddress, Group, TextSetting, Row, ChoiceSetting, SwitchSetting, KeySetting, useKnownSettings } from './setting.tsx'

const words = settingsStrings
const signInWords = settingsStrings.service
const unknownKey = { state: 'unknown', ends_at: null, renews: false } as const

export function PracticeGroup() {
  const settings = useKnownSettings()
  const { service } = words
  const address = settings.service_address
  const offers = useCall('service.offers', {}).data
  const moving = useCall('moving.state', {}).data
  const keyState = useCall('moving.keyState', {}).data ?? unknownKey
  const place = address === null ? service.embedded : service.set({ host: new URL(address).host })
  const stays = offers === undefined ? null : offersSentence(offers)
  const comes = offers === undefined ? [] : [broughtSentence(offers), unlistedSentence(offers)].filter((one) => one !== null)
  return (
    <Group title={words.groups.practice}>
      <TextSetting name="practice_name" label={words.practiceName.label} help={words.practiceName.text} />
      {(['practice_address', 'practice_phone', 'practice_npi'] as const).map((name) => (
        <TextSetting key={name} name={name} {...words.onExports[name]} />
      ))}
      <Row label={service.title} text={movingPlaces(moving) ?? place} />
      {address !== null && stays !== null && <Row label={service.keeps} text={stays} />}
      {address !== null && comes.length > 0 && <Row label={service.comes} text={comes.join(' ')} />}
      {address !== null && (
        <TextSetting
          name="service_address"
          label={service.address}
          help={service.addressHelp}
          check={(value) => (value === '' ? words.wrongAddress : checkAddress(value))}
        />
      )}
      {address !== null && <SignInSetting />}
      {(address !== null || settings.service_has_key) && (
        <KeySetting which="service" kept={serviceKeyText(keyState, service.keySet)} none={service.keyNone} />
      )}
      {address !== null && <UploadSettings />}
      <MovingSetting />
    </Group>
  )
}

function SignInSetting() {
  const { open, isWaiting, isDone, error } = useSignIn('settings.signIn', 'settings.finishSignIn')
  return (
    <Row
      label={signInWords.signIn}
      text={isWaiting ? signInWords.signInWaiting : isDone ? signInWords.signInDone : signInWords.signInText}
      isStatus
      action={
        <div className="setting-actions">
          <Button onPress={() => open({})} label={isWaiting ? signInWords.signInAgain : signInWords.signInOpen} />
        </div>
      }
    >
      {error && error.code !== 'cancelled' && <Problem code={error.code} />}
    </Row>
  )
}

/** Kilobytes per second. */
const speeds = [32, 100, 500]

function UploadSettings() {
  const { upload_limit: limit, upload_on_metered } = useKnownSettings()
  const { metered = null } = useCall('settings.network', {}, { enabled: !upload_on_metered }).data ?? {}
  const off = uploadStrings.metered[metered === null ? 'unknown' : metered ? 'said' : 'denied']
  const { speed } = uploadStrings
  const offered = limit === null || speeds.includes(limit) ? speeds : [...speeds, limit].toSorted((one, other) => one - other)
  return (
    <>
      <ChoiceSetting
        label={speed.label}
        text={limit === null ? speed.text.none : speed.text.limited({ kb: limit })}
        value={limit === null ? 'none' : String(limit)}
        options={[
          { value: 'none', label: speed.options.none },
          ...offered.map((kb) => ({ value: String(kb), label: speed.options.limited({ kb }), detail: speed.options.detail(kb) })),
        ]}
        patch={(value) => ({ upload_limit: value === 'none' ? null : Number(value) })}
      />
      <SwitchSetting name="upload_on_metered" words={uploadStrings.onMetered} />
      {!upload_on_metered && <SwitchSetting name="network_metered" words={{ ...uploadStrings.metered, off }} />}
    </>
  )
}
