/** Approximate kilobytes in an hour of recorded sound, at the recorder's constant bitrate. */
const HOUR_KB = 13_500

function timeOfAnHour(kbPerSecond: number): string {
  const seconds = Math.round(HOUR_KB / kbPerSecond)
  return seconds < 90 ? `about ${seconds} seconds` : `about ${Math.round(seconds / 60)} minutes`
}

export const uploadStrings = {
  speed: {
    label: 'How fast recordings are sent',
    text: {
      none: 'As fast as the line takes them. Everything else you do goes first.',
      limited: (kb: number) => `No faster than ${kb} KB a second, so that calls and video keep the rest of the line.`,
    },
    options: {
      none: 'As fast as the line takes them',
      limited: (kb: number) => `${kb} KB a second`,
      detail: (kb: number) => `An hour of sound takes ${timeOfAnHour(kb)}`,
    },
  },
  onMetered: {
    label: 'Send recordings over metered networks',
    on: 'Recordings are sent over any network, also where data costs.',
    off: 'Where data costs, recordings wait on this laptop for another network. Everything else is sent.',
  },
  metered: {
    label: 'Take this network for a metered one',
    on: 'Recordings wait until you turn this off.',
    said: 'This laptop says that the network is metered, so recordings wait.',
    denied: 'This laptop says that the network is not metered. Turn this on where it is wrong, as on a phone’s hotspot.',
    unknown: 'This laptop does not say whether the network is metered. Turn this on where data costs, as on a phone’s hotspot.',
  },
} as const
