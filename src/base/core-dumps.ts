import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { attempt } from './control.ts'

/** A core dump would write clinical text to the disk unencrypted. Linux only; for other systems, see docs/operating.md. */
export function forbidCoreDumps(pid = process.pid): void {
  if (process.platform !== 'linux') return
  // Also empties dumps piped to a program, which ignore the size limit.
  attempt(() => writeFileSync(`/proc/${pid}/coredump_filter`, '0'))
  attempt(() => execFileSync('prlimit', ['--pid', String(pid), '--core=0:0'], { stdio: 'ignore' }))
}

/** Wraps a command so that it cannot write a core dump. A shell can lower the limit, Node cannot. */
export function withoutCoreDumps(command: string, flags: readonly string[]): { command: string; flags: string[] } {
  if (process.platform === 'win32') return { command, flags: [...flags] }
  return { command: '/bin/sh', flags: ['-c', 'ulimit -c 0; exec "$0" "$@"', command, ...flags] }
}
