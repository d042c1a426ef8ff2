/** One implementation in every runtime: Electron has a Temporal of its own and Node 24 has none. */
export { Temporal } from 'temporal-polyfill/implementation'
