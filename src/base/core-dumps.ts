import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { attempt } from './control.ts'

/** On Linux, prevents core dumps, which would write clinical text unencrypted. For other systems, see docs/operating.md. */
export function forbidCoreDumps(pid = process.pid): void {
  if (process.platform !== 'linux') return
  // The kernel ignores the size limit for a core dump that it pipes to a program. With this filter, such a dump contains no
  // memory of the process.
  attempt(() => writeFileSync(`/proc/${pid}/coredump_filter`, '0'))
  attempt(() => execFileSync('prlimit', ['--pid', String(pid), '--core=0:0'], { stdio: 'ignore' }))
}

/** Makes a command run in a shell with a core size limit of 0, which Node cannot set. On Windows, returns it unchanged. */
export function withoutCoreDumps(command: string, flags: readonly string[]): { command: string; flags: string[] } {
  if (process.platform === 'win32') return { command, flags: [...flags] }
  return { command: '/bin/sh', flags: ['-c', 'ulimit -c 0; exec "$0" "$@"', command, ...flags] }
}
