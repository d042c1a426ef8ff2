import { useEffect, useState } from 'react'

/** How many microphones there are, without opening one; null where that cannot be known. */
export function useMicrophoneCount(): number | null {
  const [count, setCount] = useState<number | null>(null)
  useEffect(() => {
    const devices = navigator.mediaDevices
    if (devices === undefined) return undefined
    let isGone = false
    const look = async (): Promise<void> => {
      const found = await devices.enumerateDevices()
      if (!isGone) setCount(found.filter(({ kind }) => kind === 'audioinput').length)
    }
    const heard = (): void => void look()
    heard()
    devices.addEventListener('devicechange', heard)
    return () => {
      isGone = true
      devices.removeEventListener('devicechange', heard)
    }
  }, [])
  return count
}

/** Of the Battery Status API, which Chromium has. */
interface Battery {
  readonly charging: boolean
  /** Seconds; Infinity while it is not known. */
  readonly dischargingTime: number
  readonly level: number
}

export interface Power {
  /** Null: on mains. */
  readonly minutes: number | null
}

/** Null where it is not known: nothing is shown then. */
export function useBattery(now: Date): Power | null {
  const [power, setPower] = useState<Power | null>(null)
  useEffect(() => {
    const { getBattery } = navigator as Navigator & { getBattery?: () => Promise<Battery> }
    if (getBattery === undefined) return undefined
    let isGone = false
    const look = async (): Promise<void> => {
      const battery = await getBattery.call(navigator)
      if (isGone) return
      if (Number.isFinite(battery.dischargingTime) && !battery.charging)
        setPower({ minutes: Math.round(battery.dischargingTime / 60) })
      else setPower(battery.charging && battery.level < 1 ? { minutes: null } : null)
    }
    void look()
    return () => {
      isGone = true
    }
  }, [now])
  return power
}
