/** From W3C mediacapture-transform. Chromium supports it, but TypeScript's DOM types lack it. */
interface MediaStreamTrackProcessorInit {
  readonly track: MediaStreamTrack
  /** The number of frames that wait for a reader. If there are more, the oldest are dropped. */
  readonly maxBufferSize?: number
}

declare class MediaStreamTrackProcessor {
  constructor(init: MediaStreamTrackProcessorInit)
  readonly readable: ReadableStream<AudioData>
}
