import { messages } from './messages.ts'

const { today } = messages

export const {
  types: sessionTypeWords,
  places: modalityWords,
  minutes: minutesWords,
  number: sessionNumberWords,
  appointment: appointmentWords,
} = messages.sessions

export const todayStrings = {
  ...today,
  damaged: {
    ...today.damaged,
    title(count: number, whole: number): string {
      if (whole === count) return today.damaged.whole({ count })
      return whole === 0 ? today.damaged.partly({ count }) : today.damaged.mixed({ count })
    },
  },
  in(minutes: number): string {
    if (minutes < 60) return today.in.minutes({ minutes: Math.max(0, minutes) })
    const hours = Math.floor(minutes / 60)
    return minutes % 60 === 0 ? today.in.hours({ hours }) : today.in.hoursAndMinutes({ hours, minutes: minutes % 60 })
  },
  card: { ...today.card, space: (hours: number): string => today.card.space({ hours, isMore: hours > 99 }) },
}
