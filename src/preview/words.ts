/** Everything the preview prints to the terminal. */
export const words = {
  isOpen: 'Afterword is open in its own window. Press Ctrl+C here to quit.',
  isOpenElsewhere: 'Afterword is already open. Opening another window.',
  isShown: 'Afterword is already open. Its window was brought to the front.',
  openByHand: (address: string) => `Open this address in Chrome, Edge or Firefox on this computer. It works once:\n${address}`,
  noDisplay: 'No display was found, so Afterword cannot open a window.',
  noBrowser: 'No Chrome, Edge, Brave or Chromium was found, so Afterword cannot open a window.',
  browserEnded: (browser: string) => `${browser} ended with an error, so the Afterword window is closed. Your records are safe.`,
  restarted: 'Afterword restarted after an internal error. Your records and recordings are safe.',
  notResponding:
    'Afterword is already running but isn’t responding. Your records are safe. End it in your system’s task manager, then start it again.',
  portInUse: (port: number) =>
    `Port ${port} is in use by another program. Set AFTERWORD_PORT to another number, or leave it out for any free port.`,
  failed(reason: string | null, folder: string): string {
    if (reason === 'profile-in-use')
      return `Another Afterword has the records in ${folder} open, perhaps through another path to the same folder. Your records are safe. Close that one, then start Afterword again.`
    if (reason === 'ENOSPC') return 'The disk is full. Your records are unchanged. Free some space, then start Afterword again.'
    if (reason === 'EACCES' || reason === 'EPERM' || reason === 'EROFS' || reason === 'ENOTDIR')
      return `Afterword cannot write to its folder, ${folder}. Your records are unchanged. Allow writing there, then start Afterword again.`
    return `Afterword stopped because of an internal error${reason === null ? '' : ` (${reason})`}. Your records and recordings are safe. Start Afterword again.`
  },
}
