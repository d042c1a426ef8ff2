import { Pause, Play, RotateCcw } from 'lucide-react'
import type { Recording } from '#contract/model/recording.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { formatMoment, formatSpokenLength } from '#renderer/strings/time.ts'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { Button, IconButton, type IconButtonProps } from '#renderer/ui/button.tsx'
import { usePlayer, type Player } from './use-player.ts'
import { Waveform, type WaveformProps } from './waveform.tsx'
import './player-bar.css'
import './saved-sound.css'

interface SoundWords {
  readonly play: string
  readonly pause: string
  readonly wave: string
  readonly position: (typeof transcriptWords)['sound']['position']
}

function useSound(player: Player, { id, gaps, marks }: Recording, buckets: number, words: SoundWords) {
  const { data } = useCall('recordings.waveform', { recording_id: id, buckets })
  const total = data?.duration_ms ?? 0
  const button: IconButtonProps = {
    label: player.isPlaying ? words.pause : words.play,
    icon: player.isPlaying ? Pause : Play,
    variant: 'filled',
    size: 'large',
    onPress: player.toggle,
  }
  const wave = {
    label: words.wave,
    peaks: data?.peaks ?? [],
    durationMs: total,
    gaps,
    marks,
    valueText: words.position({ at: formatSpokenLength(player.ms), total: formatSpokenLength(total) }),
    onSeek: player.seek,
  }
  return { total, button, wave }
}

const words = transcriptWords
const rates = [1, 1.2, 1.5, 2, 0.8]

interface PlayerBarProps {
  readonly player: Player
  readonly recording: Recording
  readonly laneAt: WaveformProps['laneAt']
}

export function PlayerBar({ player, recording, laneAt }: PlayerBarProps) {
  const { total, button, wave } = useSound(player, recording, 600, words)
  const nextRate = rates[(rates.indexOf(player.rate) + 1) % rates.length] ?? 1
  return (
    <div className="player" role="group" aria-label={words.wave}>
      <IconButton {...button} className="player-play" shortcut="Space" />
      <Waveform {...wave} playedMs={player.ms} height={66} laneAt={laneAt} />
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
          <Button
            size="row"
            aria-label={words.speedLabel({ rate: player.rate })}
            onPress={() => player.setRate(nextRate)}
            label={words.speed({ rate: player.rate })}
          />
        </div>
      </div>
    </div>
  )
}

interface SavedSoundProps {
  readonly recording: Recording
  readonly words: SoundWords & { readonly noSound: string }
  readonly autoFocus?: boolean
}

export function SavedSound({ recording, words, autoFocus = false }: SavedSoundProps) {
  const player = usePlayer(recording.id)
  const { total, button, wave } = useSound(player, recording, 300, words)
  return (
    <div className="saved-sound" role="group" aria-label={words.wave}>
      <PlayerAudio player={player} />
      <IconButton {...button} className="saved-sound-play" autoFocus={autoFocus} />
      <Waveform
        {...wave}
        playedMs={player.ms === 0 && !player.isPlaying ? null : player.ms}
        height={recording.marks.length > 0 ? 52 : 40}
      />
      <p className="saved-sound-time tabular">{words.position({ at: formatMoment(player.ms), total: formatMoment(total) })}</p>
      {player.hasFailed && <p className="caption saved-sound-failed">{words.noSound}</p>}
    </div>
  )
}

export function PlayerAudio({ player }: { readonly player: Player }) {
  if (player.source === null) return null
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- recordings have no captions; the session page shows the transcript
  return <audio ref={player.audio} src={player.source} preload="metadata" />
}

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
