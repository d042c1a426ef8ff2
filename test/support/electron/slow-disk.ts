/** Preloaded into the app and its threads: every flush to the disk takes a tenth of a second longer. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const DELAY_MS = 100
const clock = new Int32Array(new SharedArrayBuffer(4))
const { fsyncSync, fdatasyncSync } = fs
const delayed =
  (flush: (file: number) => void) =>
  (file: number): void => {
    Atomics.wait(clock, 0, 0, DELAY_MS)
    flush(file)
  }
fs.fsyncSync = delayed(fsyncSync)
fs.fdatasyncSync = delayed(fdatasyncSync)
syncBuiltinESMExports()
