import { AppError } from '#contract/errors.ts'

export type MicrophoneTrouble = 'microphone-denied' | 'microphone-missing' | 'microphone-lost'

/** Opens without audio processing, which is for calls: it removes quiet speech, and automatic gain makes loud speech clip. */
export async function openMicrophone(deviceId: string | null): Promise<MediaStreamTrack> {
  const constraints: MediaTrackConstraints = {
    echoCancellation: false,
    noiseSuppression: false,
    autoGainControl: false,
    channelCount: 1,
  }
  if (deviceId !== null) constraints.deviceId = { ideal: deviceId }
  const stream = await navigator.mediaDevices.getUserMedia({ audio: constraints })
  const [track] = stream.getAudioTracks()
  if (track === undefined) throw new DOMException('no audio track', 'NotFoundError')
  return track
}

export function microphoneTrouble(error: unknown): MicrophoneTrouble {
  if (error instanceof AppError && error.code === 'microphone-denied') return error.code
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'microphone-denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'microphone-missing'
  return 'microphone-lost'
}

const LOOK_AGAIN_MS = 2000

function nextDevice(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      navigator.mediaDevices.removeEventListener('devicechange', done)
      resolve()
    }
    const timer = setTimeout(done, LOOK_AGAIN_MS)
    navigator.mediaDevices.addEventListener('devicechange', done)
  })
}

export async function openAgain(
  wanted: string | null,
  ports: { open(deviceId: string | null): Promise<void>; isWanted(): boolean; onTrouble(trouble: MicrophoneTrouble): void },
): Promise<void> {
  let deviceId = wanted
  while (ports.isWanted()) {
    try {
      return await ports.open(deviceId)
    } catch (error) {
      if (ports.isWanted()) ports.onTrouble(microphoneTrouble(error))
      deviceId = null
      await nextDevice()
    }
  }
}
