/** What a scorer of labelled utterances gives. */
export interface Labelled {
  /** As figures, for --json. */
  readonly scores: unknown
  /** As lines for the terminal. */
  readonly text: string
}
