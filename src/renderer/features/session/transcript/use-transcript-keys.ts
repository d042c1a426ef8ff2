import type { Transcript } from '#contract/model/transcript.ts'
import { useShortcuts } from '../shortcuts.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import type { Voice } from './speakers.ts'
import type { Turns } from './use-turns.ts'

const jumpMs = 5000

interface Keyed {
  readonly transcript: Transcript
  readonly turns: Turns
  readonly player: Player
  readonly voices: readonly Voice[]
}

export function useTranscriptKeys({ transcript, turns, player, voices }: Keyed, singleKeys: boolean): void {
  useShortcuts(
    {
      Space: player.toggle,
      j: () => player.seek(player.ms - jumpMs),
      l: () => player.seek(player.ms + jumpMs),
      e: () => turns.edit(transcript.segments[turns.choice.at]?.id ?? null),
      n: turns.nextToCheck,
      ArrowDown: () => turns.move(1),
      ArrowUp: () => turns.move(-1),
      'Shift+ArrowDown': () => turns.move(1, true),
      'Shift+ArrowUp': () => turns.move(-1, true),
      Enter: turns.playChosen,
      ...Object.fromEntries([1, 2, 3, 4].map((number) => [String(number), () => turns.give(voices[number - 1])])),
    },
    singleKeys,
  )
}
