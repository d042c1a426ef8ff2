import { localDateValue, localTimeValue } from '#renderer/strings/time.ts'

/** What the laptop's clock shows, as `2026-11-24T15:00:00`. */
export function localWall(at: Date): string {
  return `${localDateValue(at)}T${localTimeValue(at)}:00`
}
