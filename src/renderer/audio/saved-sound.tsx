import { Pause, Play } from 'lucide-react'
import type { Recording } from '#contract/model/recording.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { formatMoment, formatSpokenLength } from '#renderer/strings/time.ts'
import type { transcriptWords } from '#renderer/strings/transcript.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { usePlayer } from './use-player.ts'
import { PlayerAudio, Waveform } from './waveform.tsx'
import './saved-sound.css'

interface SavedSoundProps {
  readonly recording: Recording
  readonly words: typeof transcriptWords.sound
  readonly autoFocus?: boolean
}

/** Plays a recording where no transcript is shown beside it. */
export function SavedSound({ recording, words, autoFocus = false }: SavedSoundProps) {
  const player = usePlayer(recording.id)
  const wave = useCall('recordings.waveform', { recording_id: recording.id, buckets: 300 })
  const total = wave.data?.duration_ms ?? 0
  return (
    <div className="saved-sound" role="group" aria-label={words.wave}>
      <PlayerAudio player={player} />
      <IconButton
        label={player.isPlaying ? words.pause : words.play}
        icon={player.isPlaying ? Pause : Play}
        variant="filled"
        size="large"
        className="saved-sound-play"
        autoFocus={autoFocus}
        onPress={player.toggle}
      />
      <Waveform
        label={words.wave}
        peaks={wave.data?.peaks ?? []}
        durationMs={total}
        playedMs={player.ms === 0 && !player.isPlaying ? null : player.ms}
        gaps={recording.gaps}
        marks={recording.marks}
        height={recording.marks.length > 0 ? 52 : 40}
        valueText={words.position({ at: formatSpokenLength(player.ms), total: formatSpokenLength(total) })}
        onSeek={player.seek}
      />
      <p className="saved-sound-time tabular">{words.position({ at: formatMoment(player.ms), total: formatMoment(total) })}</p>
      {player.hasFailed && <p className="caption saved-sound-failed">{words.noSound}</p>}
    </div>
  )
}
