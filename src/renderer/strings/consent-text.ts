export interface ConsentPlaces {
  /** Host of a speech server that is not on this laptop; null: none, or on this laptop. */
  readonly speech_host: string | null
  /** Host of a model server that is not on this laptop and writes drafts; null: none, or on this laptop. */
  readonly writer_host: string | null
  /** The records go to a practice's service. */
  readonly hasPractice: boolean
}

/** Kept with the consent, so that it can be told what was read; another wording needs another version. */
export function consentTextVersion({ speech_host, writer_host, hasPractice }: ConsentPlaces): string {
  return [
    'read-aloud-2026-1',
    ...(hasPractice ? ['practice'] : ['laptop']),
    ...(speech_host === null ? [] : ['speech-server']),
    ...(writer_host === null ? [] : ['model-server']),
  ].join(' ')
}

/** Says where the words go as things are set up now, and nothing that is not so. */
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
