/** Use one implementation everywhere: Electron has a native Temporal, Node 24 does not. */
export { Temporal } from 'temporal-polyfill/implementation'
