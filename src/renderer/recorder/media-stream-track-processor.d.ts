interface MediaStreamTrackProcessorInit {
  readonly track: MediaStreamTrack
  readonly maxBufferSize?: number
}

declare class MediaStreamTrackProcessor {
  constructor(init: MediaStreamTrackProcessorInit)
  readonly readable: ReadableStream<AudioData>
}
