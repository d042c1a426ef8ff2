/** Which turns the keys act on: one, or a stretch chosen with Shift. */
export interface TurnChoice {
  readonly at: number
  /** Where the stretch began. */
  readonly anchor: number
}

export const chooseTurn = (index: number): TurnChoice => ({ at: index, anchor: index })

export function moveChoice(choice: TurnChoice, step: number, count: number, isExtending: boolean): TurnChoice {
  const at = Math.max(0, Math.min(count - 1, choice.at + step))
  return { at, anchor: isExtending ? choice.anchor : at }
}

export function chosenRange({ at, anchor }: TurnChoice): { readonly from: number; readonly to: number } {
  return { from: Math.min(at, anchor), to: Math.max(at, anchor) }
}

/** After a voice was given: the next turn without one, else the turn after; while the sound plays it leads. */
export function afterVoice(choice: TurnChoice, nextWithoutVoice: number, count: number, isPlaying: boolean): TurnChoice {
  const { to } = chosenRange(choice)
  if (isPlaying) return chooseTurn(choice.at)
  if (nextWithoutVoice >= 0) return chooseTurn(nextWithoutVoice)
  return chooseTurn(Math.min(count - 1, to + 1))
}
