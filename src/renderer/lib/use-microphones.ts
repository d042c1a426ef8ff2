import { useEffect, useState } from 'react'

export function useMicrophones(): readonly MediaDeviceInfo[] | null {
  const [microphones, setMicrophones] = useState<readonly MediaDeviceInfo[] | null>(null)
  useEffect(() => {
    const media = navigator.mediaDevices
    if (media === undefined) return undefined
    let isGone = false
    const look = async (): Promise<void> => {
      const found = await media.enumerateDevices()
      if (!isGone) setMicrophones(found.filter(({ kind }) => kind === 'audioinput'))
    }
    const heard = (): void => void look()
    heard()
    media.addEventListener('devicechange', heard)
    return () => {
      isGone = true
      media.removeEventListener('devicechange', heard)
    }
  }, [])
  return microphones
}
