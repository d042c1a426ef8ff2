import { useCall } from '#renderer/bridge/use-bridge.ts'
import { uploadStrings } from '#renderer/strings/uploads.ts'
import { ChoiceSetting, type GroupProps, SwitchSetting } from './setting.tsx'

const words = uploadStrings
/** Kilobytes a second: beside a video call on a poor line, on a usual one, and hardly noticed on a good one. */
const speeds = [32, 100, 500]

/** How recordings go up to a practice's service. */
export function UploadSettings({ settings }: GroupProps) {
  const { upload_limit: limit, upload_on_metered, network_metered } = settings
  const offered = limit === null || speeds.includes(limit) ? speeds : [...speeds, limit].toSorted((one, other) => one - other)
  return (
    <>
      <ChoiceSetting
        label={words.speed.label}
        text={limit === null ? words.speed.text.none : words.speed.text.limited(limit)}
        value={limit === null ? 'none' : String(limit)}
        options={[
          { value: 'none', label: words.speed.options.none },
          ...offered.map((kb) => ({
            value: String(kb),
            label: words.speed.options.limited(kb),
            detail: words.speed.options.detail(kb),
          })),
        ]}
        patch={(value) => ({ upload_limit: value === 'none' ? null : Number(value) })}
      />
      <SwitchSetting
        label={words.onMetered.label}
        text={upload_on_metered ? words.onMetered.on : words.onMetered.off}
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
      label={words.metered.label}
      text={isOn ? words.metered.on : words.metered[said(data?.metered ?? null)]}
      isOn={isOn}
      patch={(network_metered) => ({ network_metered })}
    />
  )
}

const said = (metered: boolean | null): 'said' | 'denied' | 'unknown' =>
  metered === null ? 'unknown' : metered ? 'said' : 'denied'
