/** One implementation everywhere, because Electron has a native Temporal and Node 24 does not. */
export { Temporal } from 'temporal-polyfill/implementation'
