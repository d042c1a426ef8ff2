import { existsSync } from 'node:fs'

export interface Labelled {
  /** As figures, for --json. */
  readonly scores: unknown
  /** As lines for the terminal. */
  readonly text: string
}

interface Behaviours {
  /** Null for a file whose labels are none of the known sets. */
  scoreBehaviours(file: string, columns: readonly string[]): Promise<Labelled | null> | Labelled | null
}

const scorer = new URL('behaviours.ts', import.meta.url)

/** What the classifier of therapist behaviours makes of a file of labelled utterances; null where it is none. */
export async function labelled(file: string, columns: readonly string[]): Promise<Labelled | null> {
  if (!existsSync(scorer)) return null
  const { scoreBehaviours } = (await import(scorer.href)) as Behaviours
  return scoreBehaviours(file, columns)
}
