export interface Kind {
  readonly topic: string
  readonly pattern: RegExp
}

/** In matching order: the first pattern that matches gives the topic. */
export function kindsOf(patterns: Readonly<Record<string, RegExp>>): readonly Kind[] {
  return Object.entries(patterns).map(([topic, pattern]) => ({ topic, pattern }))
}

export function topicIn(kinds: readonly Kind[], text: string): string | null {
  return kinds.find(({ pattern }) => pattern.test(text))?.topic ?? null
}
