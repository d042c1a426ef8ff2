/** Every sentence of the native dialogs and menus. The window's own text is in src/renderer/strings. */
export const words = {
  finishBeforeQuitting: {
    message: 'A recording is running.',
    detail: 'Finish the recording and quit, or keep recording. Everything recorded so far is saved.',
    keep: 'Keep recording',
    finish: 'Finish and quit',
  },
  /** The records are locked, so the recording can't be finished. */
  quitWhileLocked: {
    message: 'A recording is running.',
    detail:
      'Your records are locked. If you quit now, everything recorded so far is saved, and you can resume or finish the recording the next time you unlock Afterword.',
    keep: 'Keep recording',
    finish: 'Quit',
  },
  windowNotResponding: {
    message: 'The Afterword window isn’t responding.',
    detail: 'Everything saved so far is safe. If you reload the window, a recording continues after a short gap.',
    wait: 'Wait',
    reload: 'Reload window',
  },
  windowKeepsCrashing: {
    message: 'Afterword can’t show its window.',
    detail:
      'The window closed unexpectedly several times. Everything saved so far is safe. Try again, or quit Afterword and start it again.',
    retry: 'Try again',
    quit: 'Quit',
  },
  startFailed: {
    title: 'Afterword couldn’t start',
    disk: (folder: string): string =>
      `Afterword can’t write to its folder, ${folder}. Your records were not changed. Check that the disk isn’t full and that you may write to this folder, then start Afterword again.`,
    other: (folder: string): string =>
      `Something went wrong while Afterword was starting. Your records were not changed. Start Afterword again. If it keeps happening, the file “log/main.log” in ${folder} says why; it contains nothing about your clients.`,
  },
  forbiddenSwitch: (name: string): string => `Afterword doesn’t start with --${name}. Your records were not opened.`,
  noSandbox: {
    title: 'Afterword couldn’t start safely',
    text: 'This system doesn’t let Afterword run in its sandbox, so it didn’t open your records. Install the .deb or .rpm package instead of the AppImage.',
  },
  alreadyRunning: {
    title: 'Afterword is already open',
    closing: 'Afterword is still closing. Your records are safe. Wait a few seconds, then start it again.',
    inBrowser: 'Your records are open in a browser window. Close that window and stop Afterword there, then start it again.',
    notResponding:
      'Afterword is already running but doesn’t respond. Your records are safe. Quit it with your system’s task manager, then start it again.',
  },
  menu: { edit: 'Edit', view: 'View', window: 'Window' },
} as const
