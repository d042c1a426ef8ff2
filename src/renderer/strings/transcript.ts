import { messages } from './messages.ts'

const { transcript } = messages
const errors: Readonly<Record<string, string>> = transcript.errors

export const transcriptWords = {
  ...transcript,
  voicesHelp(names: readonly string[]): string {
    const voices = names.slice(0, 4).map((name, index) => transcript.voice({ number: index + 1, name }))
    return transcript.voicesHelp({ voices: voices.join(', ').replace(/\.$/, '') })
  },
  unclear: (words: readonly string[]): string =>
    transcript.unclear({ words: words.slice(0, 3).map((word) => transcript.quoted({ word })) }),
}

export const transcriptError = (code: string | null): string => errors[code ?? 'other'] ?? transcript.errors.other
