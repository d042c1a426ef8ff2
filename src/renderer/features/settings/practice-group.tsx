import { isWebAddress } from '#renderer/lib/web-address.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { movingPlaces, serviceKeyText } from '#renderer/strings/moving.ts'
import { broughtSentence, offersSentence, unlistedSentence } from '#renderer/strings/offers.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { KeySetting } from './key-setting.tsx'
import { MovingSetting } from './moving/moving-setting.tsx'
import { SignInSetting } from './sign-in-setting.tsx'
import { Group, TextSetting, Told, type GroupProps } from './setting.tsx'
import { UploadSettings } from './upload-settings.tsx'

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
        {movingPlaces(moving) ?? (address === null ? service.embedded : service.set(new URL(address).host))}
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
