import { Pause, Play, RotateCcw } from 'lucide-react'
import type { Gap, Mark } from '#contract/model/recording.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { formatMoment, formatSpokenLength } from '#renderer/strings/time.ts'
import type { Player } from './use-player.ts'
import { Waveform } from './waveform.tsx'
import './player-bar.css'

const rates = [1, 1.2, 1.5, 2, 0.8]

interface PlayerBarProps {
  readonly player: Player
  readonly recordingId: string
  readonly gaps: readonly Gap[]
  readonly marks: readonly Mark[]
  readonly laneAt: ((ms: number) => 0 | 1 | 2) | undefined
}

export function PlayerBar({ player, recordingId, gaps, marks, laneAt }: PlayerBarProps) {
  const wave = useCall('recordings.waveform', { recording_id: recordingId, buckets: 600 })
  const total = wave.data?.duration_ms ?? 0
  const nextRate = rates[(rates.indexOf(player.rate) + 1) % rates.length] ?? 1
  return (
    <div className="player" role="group" aria-label={words.wave}>
      <IconButton
        label={player.isPlaying ? words.pause : words.play}
        icon={player.isPlaying ? Pause : Play}
        variant="filled"
        size="large"
        className="player-play"
        shortcut="Space"
        onPress={player.toggle}
      />
      <Waveform
        label={words.wave}
        peaks={wave.data?.peaks ?? []}
        durationMs={total}
        playedMs={player.ms}
        gaps={gaps}
        marks={marks}
        height={66}
        laneAt={laneAt}
        valueText={words.position(formatSpokenLength(player.ms), formatSpokenLength(total))}
        onSeek={player.seek}
      />
      <div className="player-end">
        <p className="player-time tabular">
          <strong>{formatMoment(player.ms)}</strong> {words.of} {formatMoment(total)}
        </p>
        <div className="player-buttons">
          <IconButton
            label={words.again}
            icon={RotateCcw}
            size="row"
            variant="outlined"
            shortcut="J"
            onPress={() => player.seek(player.ms - 5000)}
          />
          <Button size="row" aria-label={words.speedLabel(player.rate)} onPress={() => player.setRate(nextRate)}>
            {words.speed(player.rate)}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** The element itself; without a caption track, because the transcript beside it is the caption. */
export function PlayerAudio({ player }: { readonly player: Player }) {
  if (player.source === null) return null
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- the transcript beside it is the caption
  return <audio ref={player.audio} src={player.source} preload="metadata" />
}
