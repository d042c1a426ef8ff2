import type { OfferedVersion, UpdateFailure } from '#contract/bridge/updates.ts'

/** Finds, downloads and installs a newer version. Every method throws UpdateError for an expected failure. */
export interface UpdateSource {
  /** Null: no newer version. */
  check(): Promise<OfferedVersion | null>
  /** Downloads what the last check found. @param onProgress 0 to 1 */
  download(onProgress: (progress: number) => void): Promise<void>
  /** Right before the app closes: the download is still what was released, and there is a place to put it. */
  verify(): Promise<void>
  /** After the app has closed its files. Answers whether the installer starts the new version itself. */
  install(): Promise<{ readonly startsApp: boolean }>
}

export class UpdateError extends Error {
  override readonly name = 'UpdateError'
  readonly code: UpdateFailure

  constructor(code: UpdateFailure) {
    super(code)
    this.code = code
  }
}
