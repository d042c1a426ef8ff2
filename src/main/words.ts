export const words = {
  finishBeforeQuitting: {
    message: 'A recording is still open.',
    detail: 'Finish the recording and quit, or keep recording. Everything recorded so far is saved.',
    keep: 'Keep recording',
    finish: 'Finish and quit',
  },
  quitWhileLocked: {
    message: 'A recording is still open.',
    detail:
      'Your records are locked. Everything recorded so far is saved. If you quit now, you can resume or finish the recording the next time you unlock Afterword.',
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
      'The Afterword window crashed several times. Everything saved so far is safe. If you were recording, sound isn’t being recorded now. Try again, or quit Afterword and start it again.',
    retry: 'Try again',
    quit: 'Quit',
  },
  startFailed: {
    title: 'Afterword couldn’t start',
    disk: (folder: string): string =>
      `Afterword can’t write to its folder, ${folder}. Your records were not changed. Check that the disk isn’t full and that you have permission to write to this folder, then start Afterword again.`,
    other: (folder: string): string =>
      `Something went wrong while Afterword was starting. Your records are safe. Start Afterword again. If it keeps happening, send the file “log/main.log”${folder === '' ? '' : ` in ${folder}`} to support. It contains nothing about your clients.`,
  },
  forbiddenSwitch: (name: string): string =>
    `Afterword can’t start with the option --${name}. Your records were not opened. Remove the option, then start Afterword again.`,
  noSandbox: {
    title: 'Afterword couldn’t start safely',
    text: 'Afterword can’t run in its sandbox here, so your records were not opened. If you use the AppImage, install the .deb or .rpm package instead. If you start Afterword with --no-sandbox, remove that option.',
  },
  alreadyRunning: {
    title: 'Afterword is already running',
    closing: 'Afterword is still closing. Your records are safe. Wait a few seconds, then start it again.',
    inBrowser:
      'Your records are open in the browser preview. They are safe. Press Ctrl+C in the terminal that runs the preview, then start Afterword again.',
    inUse: (folder: string): string =>
      `Another Afterword has the records in ${folder} open, perhaps through another path to the same folder. Your records are safe. Close that one, then start Afterword again.`,
    notResponding:
      'Afterword is already running but isn’t responding. Your records are safe. Wait a minute and try again. If it keeps happening, end Afterword in your system’s task manager, then start it again.',
  },
  /** The commands have the words of the window's catalog. */
  menu: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    help: 'Help',
    appointment: 'New appointment',
    client: 'New client',
    find: 'Search',
    settings: 'Settings',
    lock: 'Lock',
    shortcuts: 'Keyboard shortcuts',
    today: 'Today',
    clients: 'Clients',
    calendar: 'Calendar',
    reports: 'Reports',
  },
  tray: { recording: 'Recording', notRecording: 'Not recording', open: 'Open Afterword' },
  ready: { transcribe: 'A transcript is ready.', draft: 'A draft is ready.', analyze: 'Insights are ready.' },
} as const
