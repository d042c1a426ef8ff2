import { clipboard } from 'electron'
import type { ShellCalls } from './shell-calls.ts'

const CLEAR_AFTER_S = 60

export interface CopiedText {
  /** Clears the clipboard unless something else was copied in the meantime. */
  clear(): Promise<void>
  readonly calls: ShellCalls
}

/** Text of a record must not stay on the clipboard, which other programs read and some systems synchronize. */
export function createCopiedText(): CopiedText {
  let copied: string | null = null
  let timer: NodeJS.Timeout | undefined
  const clear = async (): Promise<void> => {
    clearTimeout(timer)
    const text = copied
    copied = null
    if (text !== null && (await clipboard.readText()) === text) clipboard.clear()
  }
  return {
    clear,
    calls: {
      async 'app.copied'() {
        copied = await clipboard.readText()
        clearTimeout(timer)
        timer = setTimeout(() => void clear(), CLEAR_AFTER_S * 1000)
        return { ok: true, value: { cleared_after_s: CLEAR_AFTER_S } }
      },
    },
  }
}
