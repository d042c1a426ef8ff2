import { useEffect, useState } from 'react'

export function useMicrophones(): readonly MediaDeviceInfo[] | null {
  const [microphones, setMicrophones] = useState<readonly MediaDeviceInfo[] | null>(null)
  useEffect(() => {
    const media = navigator.mediaDevices
    if (media === undefined) return undefined
    const gone = new AbortController()
    const { signal } = gone
    const look = async (): Promise<void> => {
      const found = await media.enumerateDevices().catch(() => [])
      if (!signal.aborted) setMicrophones(found.filter(({ kind }) => kind === 'audioinput'))
    }
    void look()
    media.addEventListener('devicechange', () => void look(), { signal })
    return () => gone.abort()
  }, [])
  return microphones
}
