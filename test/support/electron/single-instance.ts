import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** Like Chromium's lock: a link in the user-data folder names the owner's process; the link of a dead owner is replaced. */
interface Notice {
  readonly argv: string[]
  readonly workingDirectory: string
  readonly additionalData: unknown
}

export interface InstanceLock {
  release(): void
}

/** @returns null if another process holds the lock; that process receives the notice */
export function holdInstanceLock(folder: string, notice: Notice, onSecond: (notice: Notice) => void): InstanceLock | null {
  mkdirSync(folder, { recursive: true })
  const link = join(folder, 'SingletonLock')
  if (!claim(link)) {
    const temporary = join(folder, `notice-${process.pid}.part`)
    writeFileSync(temporary, JSON.stringify(notice))
    renameSync(temporary, join(folder, `notice-${process.pid}.json`))
    return null
  }
  const watcher = watch(folder, { persistent: false }, () => {
    for (const name of readdirSync(folder).filter((file) => /^notice-\d+\.json$/.test(file))) {
      const text = readFileSync(join(folder, name), 'utf8')
      rmSync(join(folder, name))
      onSecond(JSON.parse(text) as Notice)
    }
  })
  return {
    release() {
      watcher.close()
      rmSync(link, { force: true })
    },
  }
}

function claim(link: string): boolean {
  for (;;) {
    try {
      symlinkSync(`${process.pid}`, link)
      return true
    } catch {
      if (isAlive(Number(readlinkSync(link)))) return false
      rmSync(link, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
