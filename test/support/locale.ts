import { followLocale } from '#renderer/strings/locale.ts'

/** Expected dates and times are American, whatever the locale of the machine that runs the tests. */
followLocale({ system: 'en-US', chosen: null })

export function within(chosen: string, check: () => void): void {
  followLocale({ system: undefined, chosen })
  try {
    check()
  } finally {
    followLocale({ system: undefined, chosen: null })
  }
}
