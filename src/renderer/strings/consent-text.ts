export interface ConsentPlaces {
  /** The host of a remote speech server, or null if speech recognition is local or off. */
  readonly speech_host: string | null
  /** The host of a remote model server that writes drafts, or null if drafts are written locally. */
  readonly writer_host: string | null
  readonly hasPractice: boolean
}

/** Stored with the consent as proof of the wording. Change it whenever the wording changes. */
export function consentTextVersion({ speech_host, writer_host, hasPractice }: ConsentPlaces): string {
  return [
    'read-aloud-2026-1',
    ...(hasPractice ? ['practice'] : ['laptop']),
    ...(speech_host === null ? [] : ['speech-server']),
    ...(writer_host === null ? [] : ['model-server']),
  ].join(' ')
}

/** The text must say only what happens with the current settings. */
export function consentText({ speech_host, writer_host, hasPractice }: ConsentPlaces): string {
  return [
    'I would like to record our session so that I can write my notes from it.',
    hasPractice
      ? 'The recording is kept encrypted on this laptop and in our practice’s own records.'
      : 'The recording stays on this laptop, encrypted.',
    ...(speech_host === null ? [] : [`To be written down, the sound is sent to ${speech_host}.`]),
    ...(writer_host === null ? [] : [`To draft the note with a computer’s help, the written words are sent to ${writer_host}.`]),
    'You can say stop at any time, and you can say no to any part of it.',
  ].join(' ')
}
