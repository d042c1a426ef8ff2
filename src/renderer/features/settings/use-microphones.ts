import { useEffect, useState } from 'react'
import { settingsStrings } from '#renderer/strings/settings.ts'
import type { SelectOption } from '#renderer/ui/field.tsx'

export const systemMicrophone = 'system'

interface Microphones {
  readonly options: readonly SelectOption[]
  /** False before the first permission: the browser then tells neither names nor lasting ids. */
  readonly areNamed: boolean
}

const words = settingsStrings.microphone

/** What can be chosen, without opening a microphone; a chosen one that is not plugged in stays in the list. */
export function useMicrophones(chosenId: string | null): Microphones {
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
    { value: systemMicrophone, label: words.system },
    ...real.map(({ deviceId, label }, index) => ({ value: deviceId, label: label === '' ? words.unnamed(index + 1) : label })),
  ]
  if (chosenId !== null && !real.some(({ deviceId }) => deviceId === chosenId))
    options.push({ value: chosenId, label: words.gone })
  return { options, areNamed: devices.length === 0 || devices.some(({ label }) => label !== '') }
}
