import { Temporal as polyfill } from 'temporal-polyfill'

/** The runtime's own where it has one, with its own time zone data. */
export const Temporal: typeof polyfill = (globalThis as { Temporal?: typeof polyfill }).Temporal ?? polyfill
