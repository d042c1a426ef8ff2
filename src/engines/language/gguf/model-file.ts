import { open, stat } from 'node:fs/promises'
import { AppError } from '#contract/errors.ts'
import { libraryFile } from './llama-library.ts'

/** A model on this laptop, as the settings stand. */
export interface LocalModel {
  readonly file: string
  /** Folder of the optional install. */
  readonly home: string
  readonly context_tokens: number | null
}

/** Beside the file itself: what the context and the library take, generously. */
const besides = 0.8 * 1024 ** 3

const notInstalled =
  'What runs models on this laptop is not installed. Run "npm run llama" once, choose a model server, or write drafts without AI.'

/**
 * What can be known before a model is loaded, said in words a person can act on.
 *
 * @throws AppError `engine-not-ready`
 */
export async function checkModel({ file, home }: LocalModel, availableBytes: number): Promise<void> {
  if (libraryFile(home) === null) throw new AppError('engine-not-ready', notInstalled)
  const bytes = await sizeOf(file)
  if (bytes === null) throw new AppError('engine-not-ready', 'The chosen model file is no longer there. Choose one in Settings.')
  if (!(await isGguf(file))) throw new AppError('engine-not-ready', 'The chosen file is not a model in the GGUF format.')
  const needed = bytes + besides
  if (needed > availableBytes)
    throw new AppError(
      'engine-not-ready',
      `This model needs about ${inGigabytes(needed)} of memory, and ${inGigabytes(availableBytes)} is free. Close other programs, or choose a smaller model.`,
    )
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  )
}

async function isGguf(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.toString('latin1') === 'GGUF'
  } finally {
    await handle.close()
  }
}

function inGigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}
