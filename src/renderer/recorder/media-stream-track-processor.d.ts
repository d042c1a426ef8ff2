/** W3C mediacapture-transform; supported by Chromium, missing in lib.dom. */
interface MediaStreamTrackProcessorInit {
  readonly track: MediaStreamTrack
  /** Frames buffered while no reader reads; beyond this the oldest are dropped. */
  readonly maxBufferSize?: number
}

declare class MediaStreamTrackProcessor {
  constructor(init: MediaStreamTrackProcessorInit)
  readonly readable: ReadableStream<AudioData>
}
