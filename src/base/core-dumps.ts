import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { attempt } from './control.ts'

/** A core dump would write clinical text to the disk unencrypted. Linux only; for other systems, see docs/operating.md. */
export function forbidCoreDumps(pid = process.pid): void {
  if (process.platform !== 'linux') return
  // A dump that is piped to a program ignores the size limit; this filter leaves all memory out of it.
  attempt(() => writeFileSync(`/proc/${pid}/coredump_filter`, '0'))
  attempt(() => execFileSync('prlimit', ['--pid', String(pid), '--core=0:0'], { stdio: 'ignore' }))
}

/** Except on Windows, starts the command through a shell that sets the core size limit to 0. Node cannot set the limit. */
export function withoutCoreDumps(command: string, flags: readonly string[]): { command: string; flags: string[] } {
  if (process.platform === 'win32') return { command, flags: [...flags] }
  return { command: '/bin/sh', flags: ['-c', 'ulimit -c 0; exec "$0" "$@"', command, ...flags] }
}
