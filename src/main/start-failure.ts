import { app, dialog } from 'electron'
import { AppError } from '#contract/errors.ts'
import { diskFailure } from '#base/disk-failure.ts'
import { words } from './words.ts'

/** Without this a start that fails is a process without a window that still holds the records. */
export function showStartFailure(error: unknown, folder: string): void {
  if (error instanceof AppError && error.code === 'profile-in-use') {
    dialog.showErrorBox(words.alreadyRunning.title, words.alreadyRunning.inUse(folder))
    app.exit(1)
    return
  }
  const isDisk = diskFailure(error) !== null || (error instanceof AppError && error.code.startsWith('disk-')) || isNoFolder(error)
  const { title, disk, other } = words.startFailed
  const place = folder === '' ? pathOf(error) : folder
  dialog.showErrorBox(title, isDisk ? disk(place) : other(place))
  app.exit(1)
}

/** A file is where the folder should be. */
function isNoFolder(error: unknown): boolean {
  return ['EEXIST', 'ENOTDIR', 'ENOENT'].includes((error as { code?: string } | null)?.code ?? '')
}

/** The profile folder, if making it failed. */
function pathOf(error: unknown): string {
  return (error as { path?: string } | null)?.path ?? ''
}
