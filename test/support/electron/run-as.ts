/**
 * Platforms that the app can be run as on this machine. The profile's lock is a socket whose name another system may not
 * accept: Linux's abstract names exist on Linux only, and Windows accepts nothing but pipe names.
 */
export function canRunAs(platform: NodeJS.Platform): boolean {
  return process.platform === platform || process.platform === 'linux' || (process.platform === 'darwin' && platform === 'win32')
}
