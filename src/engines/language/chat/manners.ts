/** How a server wants to be asked, as far as it has shown. */
export interface Manners {
  /** `schema`: bound to the form by the server; `object`: to JSON; `text`: to nothing but the words of the question. */
  readonly format: 'schema' | 'object' | 'text'
  /** Temperature and seed may be sent. */
  readonly sampling: boolean
  /** The answer's length may be limited. */
  readonly limit: boolean
  readonly usage: boolean
}

export const firstManners: Manners = { format: 'schema', sampling: true, limit: true, usage: true }

/** What to do about a request the server would not take as it was. */
export type Lesson = { readonly manners: Manners } | 'too-long' | 'refused' | 'unknown'

const tooLong =
  /context.{0,40}(?:length|size|window|exceed)|exceed.{0,60}(?:context|tokens)|prompt.{0,30}too long|too many tokens|maximum.{0,30}context/i
const filtered = /content[ _-]?(?:filter|policy|management)|responsible ?ai|safety (?:system|policy)/i

/** Read from the refusal's own words, which are kept nowhere: they may repeat the question. */
export function learn(manners: Manners, words: string): Lesson {
  if (manners.limit && /max_(?:completion_)?tokens/i.test(words) && !/context/i.test(words))
    return { manners: { ...manners, limit: false } }
  if (tooLong.test(words)) return 'too-long'
  if (filtered.test(words)) return 'refused'
  if (manners.usage && /stream_options|include_usage/i.test(words)) return { manners: { ...manners, usage: false } }
  if (manners.sampling && /temperature|\bseed\b/i.test(words)) return { manners: { ...manners, sampling: false } }
  if (manners.format === 'schema') return { manners: { ...manners, format: 'object' } }
  if (manners.format === 'object') return { manners: { ...manners, format: 'text' } }
  if (manners.sampling || manners.limit || manners.usage)
    return { manners: { format: 'text', sampling: false, limit: false, usage: false } }
  return 'unknown'
}
