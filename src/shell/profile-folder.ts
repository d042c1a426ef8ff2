import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { openLog } from '#base/log-file.ts'
import { errorKind } from '#base/log.ts'
import { rename } from '#base/durable-file.ts'
import { lockProfile } from './profile-lock.ts'

interface ProfileParts {
  readonly environment?: NodeJS.ProcessEnv
  readonly platform?: NodeJS.Platform
  readonly home?: string
  readonly move?: (from: string, to: string) => void
}

export async function profileFolder(given: ProfileParts = {}): Promise<string> {
  const parts = { environment: process.env, platform: process.platform, home: homedir(), move: rename, ...given }
  const folder = resolve(parts.environment['AFTERWORD_PROFILE'] ?? (await standardFolder(parts)))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (parts.platform !== 'win32') closeToOthers(folder)
  return folder
}

function standardFolder({ environment, platform, home, move }: Required<ProfileParts>): string | Promise<string> {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Afterword')
  if (platform !== 'win32') return join(environment['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'Afterword')
  const local = environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local')
  const roaming = environment['APPDATA'] ?? join(home, 'AppData', 'Roaming')
  return leaveRoaming(join(roaming, 'Afterword'), join(local, 'Afterword'), move)
}

/**
 * Moves a profile from the roaming to the local folder of a Windows account, because recordings must not roam. The roaming
 * folder stays in use if another Afterword has it open or the move fails.
 */
async function leaveRoaming(roaming: string, local: string, move: (from: string, to: string) => void): Promise<string> {
  for (;;) {
    if (!isInUse(roaming) || isInUse(local)) return local
    const lock = await lockProfile(roaming, () => moving).catch(unlessMissing)
    if (lock === null) continue
    if ('answered' in lock) {
      if (lock.answered !== moving) return roaming
      await later(50)
      continue
    }
    try {
      if (!isInUse(roaming) || isInUse(local)) continue
      if (existsSync(local)) rmdirSync(local)
      move(roaming, local)
      openLog(local, 'main').info('profile.moved-from-roaming')
      return local
    } catch (error) {
      openLog(roaming, 'main').warn('profile.not-moved-from-roaming', { kind: errorKind(error) })
      return roaming
    } finally {
      lock.release()
    }
  }
}

const moving = 'moving'

function unlessMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}

const isInUse = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0

function closeToOthers(folder: string): void {
  if ((statSync(folder).mode & 0o077) === 0) return
  try {
    chmodSync(folder, 0o700)
  } catch (error) {
    openLog(folder, 'main').warn('profile.open-to-others', { kind: errorKind(error) })
  }
}
