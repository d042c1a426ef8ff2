const MIB = 1024 * 1024

/** For a JSON body, unless the operation sets its own limit. */
export const MAX_BODY_BYTES = MIB
/** For a transcript, however many words have times. */
export const MAX_TRANSCRIPT_BYTES = 16 * MIB
const MAX_TEXT_TRANSCRIPT_BYTES = 4 * MIB
/** Enough for the JSON of one word with its times, even if indented. */
const BYTES_PER_WORD = 200

/** What one person may send at once, audio included. It refills by `BYTES_PER_SECOND`. */
export const MAX_BURST_BYTES = 256 * MIB
export const BYTES_PER_SECOND = 2 * MIB
/** Limit for all bodies of one person that are in memory at once. Audio is streamed and does not count. */
export const MAX_OPEN_BYTES = 32 * MIB

/** In bytes. Mostly the times of words make a transcript large, so each word with times raises the limit. */
export function transcriptLimitOf(body: unknown): number {
  const { segments } = (body ?? {}) as { segments?: unknown }
  let limit = MAX_TEXT_TRANSCRIPT_BYTES
  for (const segment of Array.isArray(segments) ? (segments as ({ words?: unknown } | null)[]) : [])
    if (Array.isArray(segment?.words)) limit += BYTES_PER_WORD * segment.words.filter(isTimed).length
  return Math.min(limit, MAX_TRANSCRIPT_BYTES)
}

function isTimed(word: { text?: unknown; start_ms?: unknown } | null): boolean {
  return typeof word?.text === 'string' && word.text !== '' && typeof word.start_ms === 'number'
}

export const limitsInWords =
  'Bodies are JSON in UTF-8 of up to 1 MIB; a transcript may take 4 MIB and 200 bytes for each word with times, at most 16 MIB (413 beyond). ' +
  'A page of a list ends before its records come to more than 4 MIB, so go on until next_cursor is null. ' +
  'One person may send 256 MIB at once, audio included, and 2 MIB a second from then on, with bodies of up to 32 MIB under way ' +
  'at the same time; beyond that the answer is 429 too-many-bytes with Retry-After.'
