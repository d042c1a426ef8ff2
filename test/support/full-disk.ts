import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why a small disk cannot be had here, or null. */
export function noSmallDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a disk of a few kilobytes needs root on Linux'
  try {
    smallDisk(64).remove()
    return null
  } catch {
    return 'tmpfs cannot be mounted here'
  }
}

/** A disk of its own, so small that a test can fill it. */
export function smallDisk(kilobytes: number): { folder: string; fill(leaveBytes: number): void; free(): number; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'ignore' })
  const free = (): number => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    folder,
    free,
    fill: (leaveBytes) => writeFileSync(join(folder, 'filling'), Buffer.alloc(Math.max(0, free() - leaveBytes))),
    remove: () => {
      execFileSync('umount', ['-l', folder])
      rmdirSync(folder)
    },
  }
}
