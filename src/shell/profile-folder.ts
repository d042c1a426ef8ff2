import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where the records live: `AFTERWORD_PROFILE`, else the system's place for an application's own data. Readable by this user alone. */
export function profileFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const folder = resolve(environment['AFTERWORD_PROFILE'] ?? join(dataHome(environment), 'Afterword'))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function dataHome(environment: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  if (process.platform === 'win32') return environment['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming')
  return environment['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share')
}
