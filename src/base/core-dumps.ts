import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { attempt } from './control.ts'

/**
 * Prevents core dumps of a Linux process, which would write clinical text to the disk unencrypted. Does nothing on other
 * systems: see docs/operating.md.
 */
export function forbidCoreDumps(pid = process.pid): void {
  if (process.platform !== 'linux') return
  // The kernel ignores the size limit for a core dump that it pipes to a program. With this filter, such a dump contains no
  // memory of the process.
  attempt(() => writeFileSync(`/proc/${pid}/coredump_filter`, '0'))
  attempt(() => execFileSync('prlimit', ['--pid', String(pid), '--core=0:0'], { stdio: 'ignore' }))
}

/**
 * Returns a command that runs the given one through a shell with a core size limit of 0, which Node cannot set. On Windows,
 * returns the command unchanged.
 */
export function withoutCoreDumps(command: string, flags: readonly string[]): { command: string; flags: string[] } {
  if (process.platform === 'win32') return { command, flags: [...flags] }
  return { command: '/bin/sh', flags: ['-c', 'ulimit -c 0; exec "$0" "$@"', command, ...flags] }
}
