import type { Shell } from 'electron'
import { record } from './journal.ts'
import type { Faithful } from './native-emitter.ts'

const fake = {
  openExternal(url: string): Promise<void> {
    new URL(url)
    record('opened-outside', url)
    return Promise.resolve()
  },
  showItemInFolder: (path: string): void => record('shown-in-folder', path),
}

export const shell = fake satisfies Faithful<typeof fake, Shell>
