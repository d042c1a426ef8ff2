const pad = (value: number): string => String(value).padStart(2, '0')

export const localDateValue = (at: Date): string => `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`

export const localTimeValue = (at: Date): string => `${pad(at.getHours())}:${pad(at.getMinutes())}`

export function fromLocalValues(date: string, time: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  const clock = /^(\d{1,2}):(\d{2})$/.exec(time)
  if (!match || !clock) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const at = new Date(year, month - 1, day, Number(clock[1]), Number(clock[2]))
  return at.getMonth() === month - 1 && at.getDate() === day && at.getHours() === Number(clock[1]) ? at : null
}
