import { Pause, Play } from 'lucide-react'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { recoveryWords as words } from '#renderer/strings/recovery.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { formatSpokenLength } from '#renderer/strings/time.ts'
import { PlayerAudio } from '#renderer/audio/player-bar.tsx'
import { usePlayer } from '#renderer/audio/use-player.ts'
import { Waveform } from '#renderer/audio/waveform.tsx'

/** Hearing it is the proof that it is there, so Play has the first focus. */
export function SavedSound({ recordingId }: { readonly recordingId: string }) {
  const player = usePlayer(recordingId)
  const wave = useCall('recordings.waveform', { recording_id: recordingId, buckets: 300 })
  const total = wave.data?.duration_ms ?? 0
  return (
    <div className="recovery-sound">
      <PlayerAudio player={player} />
      <IconButton
        label={player.isPlaying ? words.pause : words.play}
        icon={player.isPlaying ? Pause : Play}
        variant="filled"
        size="large"
        className="recovery-play"
        autoFocus
        onPress={player.toggle}
      />
      <Waveform
        label={words.wave}
        peaks={wave.data?.peaks ?? []}
        durationMs={total}
        playedMs={player.ms === 0 && !player.isPlaying ? null : player.ms}
        height={40}
        valueText={words.position(formatSpokenLength(player.ms), formatSpokenLength(total))}
        onSeek={player.seek}
      />
      {player.hasFailed && <p className="caption recovery-failed">{words.noSound}</p>}
    </div>
  )
}
