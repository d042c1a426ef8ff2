import { useState } from 'react'

/** Typed text that is not saved yet. It stays in memory, because nothing clinical may reach the disk unencrypted. */
const texts = new Map<string, string>()

/** Keeps a field's text while the field is off the page. An empty string discards it. */
export function useUnsentText(key: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => texts.get(key) ?? '')
  const change = (next: string): void => {
    if (next === '') texts.delete(key)
    else texts.set(key, next)
    setText(next)
  }
  return [text, change]
}

export const hasUnsentTexts = (): boolean => texts.size > 0

export function forgetUnsentTexts(): void {
  texts.clear()
}
