import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface Child {
  readonly id: number
  readonly command: string
}

/** The living children of a process, on Linux and macOS; none on Windows. */
export function childrenOf(parent: number): Child[] {
  return process.platform === 'linux' ? fromProc(parent) : fromPs(parent)
}

function fromProc(parent: number): Child[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const [state, parentId] = read(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ') ?? []
      return state !== 'Z' && Number(parentId) === parent
    })
    .map((name) => ({ id: Number(name), command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' ') }))
}

function fromPs(parent: number): Child[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, id, parentId, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(parentId) === parent ? [{ id: Number(id), command }] : []
  })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return '' // it ended in the meantime
  }
}
