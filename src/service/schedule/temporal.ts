/** The runtime's own where it has one, with its own time zone data. */
export { Temporal } from 'temporal-polyfill'
