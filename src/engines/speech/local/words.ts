import type { OfflineResult } from 'sherpa-onnx-node'
import type { SpokenWord } from './messages.ts'

type Tokens = Pick<OfflineResult, 'text' | 'tokens' | 'timestamps' | 'durations' | 'ys_log_probs'>

interface Group {
  text: string
  readonly from: number
  to: number
}

/** Where a model tells when a token begins and not how long it lasts: about so long is a letter said. */
const msPerLetter = 90
const shortestMs = 120
/** Written without spaces: there a token is a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/**
 * The words of an utterance with their times in it, from the model's tokens; none where it tells no times. A token that
 * begins with a space (or "▁") begins a word.
 */
export function wordsOf(result: Tokens, lengthMs: number): SpokenWord[] {
  const { tokens, timestamps } = result
  if (tokens.length === 0 || timestamps.length !== tokens.length) return []
  const groups = grouped(tokens)
  // The text is what the model wrote; its tokens may be bytes or lack capitals.
  const written = plain(result.text).split(' ')
  const start = (group: Group): number => within(timestamps[group.from]! * 1000, 0, lengthMs)
  return groups.map((group, index) => {
    const next = groups[index + 1]
    const start_ms = start(group)
    const end_ms = within(endOf(group, result), start_ms, next === undefined ? lengthMs : Math.max(start_ms, start(next)))
    const text = written.length === groups.length ? written[index]! : group.text
    return { text, start_ms, end_ms, confidence: confidenceOf(result.ys_log_probs.slice(group.from, group.to)) }
  })
}

/** The geometric mean of what the model held each token for; null where it does not say. */
export function confidenceOf(logs: readonly number[]): number | null {
  if (logs.length === 0) return null
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  return Number.isFinite(mean) ? Math.round(Math.min(1, Math.exp(mean)) * 1000) / 1000 : null
}

function grouped(tokens: readonly string[]): Group[] {
  const groups: Group[] = []
  for (const [index, token] of tokens.entries()) {
    const text = token.replaceAll('▁', ' ')
    const last = groups.at(-1)
    if (last === undefined || /^\s/.test(text) || unspaced.test(text))
      groups.push({ text: text.trim(), from: index, to: index + 1 })
    else Object.assign(last, { text: last.text + text.trim(), to: index + 1 })
  }
  return groups.filter(({ text }) => text !== '')
}

function endOf({ text, from, to }: Group, { tokens, timestamps, durations }: Tokens): number {
  const last = to - 1
  if (durations.length === tokens.length) return (timestamps[last]! + durations[last]!) * 1000
  const letters = to - from === 1 ? text.length : tokens[last]!.trim().length
  return timestamps[last]! * 1000 + Math.max(shortestMs, letters * msPerLetter)
}

const within = (value: number, least: number, most: number): number => Math.round(Math.min(most, Math.max(least, value)))
