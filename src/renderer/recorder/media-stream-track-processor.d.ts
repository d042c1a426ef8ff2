/** W3C mediacapture-transform; Chromium has it, the dom library has not. */
interface MediaStreamTrackProcessorInit {
  readonly track: MediaStreamTrack
  /** Frames kept while nobody reads; older ones are dropped beyond it. */
  readonly maxBufferSize?: number
}

declare class MediaStreamTrackProcessor {
  constructor(init: MediaStreamTrackProcessorInit)
  readonly readable: ReadableStream<AudioData>
}
