import type { Clipboard } from 'electron'
import { record } from './journal.ts'
import type { Faithful } from './native-emitter.ts'

let text = ''

const fake = {
  readText: (): Promise<string> => Promise.resolve(text),
  writeText: (given: string): Promise<void> => {
    text = given
    return Promise.resolve()
  },
  clear: (): void => {
    text = ''
    record('clipboard', 'cleared')
  },
}

export const clipboard = fake satisfies Faithful<typeof fake, Clipboard>
