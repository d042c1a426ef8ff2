import { Temporal as polyfill } from 'temporal-polyfill'

/** The runtime's own where it has one that knows time zones: some have the name and not yet all behind it. */
export const Temporal: typeof polyfill = ownTemporal() ?? polyfill

function ownTemporal(): typeof polyfill | null {
  const { Temporal: own } = globalThis as { Temporal?: typeof polyfill }
  try {
    const next = own && new own.ZonedDateTime(0n, 'America/New_York').getTimeZoneTransition('next')
    return own !== undefined && next?.epochMilliseconds === Date.UTC(1970, 3, 26, 7) ? own : null
  } catch {
    return null
  }
}
