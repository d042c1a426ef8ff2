import { Pause, Play } from 'lucide-react'
import { IconButton, type IconButtonProps } from '#renderer/ui/button.tsx'
import type { Player } from './use-player.ts'

interface PlayPartProps extends Pick<IconButtonProps, 'label' | 'size' | 'variant' | 'className'> {
  readonly player: Player
  readonly start: number
  readonly end: number | null
  readonly stop: string
}

export function PlayPart({ player, start, end, label, stop, ...look }: PlayPartProps) {
  if (player.source === null) return null
  const isHere = isPlayingPart(player, start, end)
  return (
    <IconButton
      {...look}
      label={isHere ? stop : label}
      icon={isHere ? Pause : Play}
      onPress={() => (isHere ? player.pause() : player.playFrom(start, end))}
    />
  )
}

export function isPlayingPart({ isPlaying, ms }: Player, start: number, end: number | null): boolean {
  return isPlaying && ms >= start - 100 && ms <= (end ?? start + 5000)
}
