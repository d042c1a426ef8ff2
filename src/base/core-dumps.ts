import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/**
 * Memory holds what was said and written; a core file would put it on the disk in the clear. On Linux, for a process and
 * those it starts from now on. What other systems do: docs/operating.md.
 */
export function forbidCoreDumps(pid = process.pid): void {
  if (process.platform !== 'linux') return
  // Also where cores go to a program, which the limit does not hold back.
  attempt(() => writeFileSync(`/proc/${pid}/coredump_filter`, '0'))
  attempt(() => execFileSync('prlimit', ['--pid', String(pid), '--core=0:0'], { stdio: 'ignore' }))
}

/** How to start a program that may write no core file: macOS and Linux can only lower the limit from inside a shell. */
export function withoutCoreDumps(command: string, flags: readonly string[]): { command: string; flags: string[] } {
  if (process.platform === 'win32') return { command, flags: [...flags] }
  return { command: '/bin/sh', flags: ['-c', 'ulimit -c 0; exec "$0" "$@"', command, ...flags] }
}

/** Not every system has each of these. */
function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // The system's own settings hold then.
  }
}
