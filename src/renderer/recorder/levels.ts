export interface Level {
  readonly peak: number
  readonly rms: number
}

export function downMix(planes: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const mono = new Float32Array(planes[0]?.length ?? 0)
  for (const plane of planes) for (let index = 0; index < mono.length; index += 1) mono[index]! += plane[index]! / planes.length
  return mono
}

export function createLevelMeter(stretch: number) {
  const levels: Level[] = []
  let filled = 0
  let peak = 0
  let energy = 0
  return {
    add(samples: Float32Array): void {
      for (const sample of samples) {
        peak = Math.max(peak, Math.abs(sample))
        energy += sample * sample
        filled += 1
        if (filled < stretch) continue
        levels.push({ peak, rms: Math.sqrt(energy / stretch) })
        filled = 0
        peak = 0
        energy = 0
      }
    },
    /** The level of the next `count` stretches, or of the unfinished stretch if none is complete. */
    take(count: number): Level {
      const taken = levels.splice(0, count)
      if (taken.length === 0) return { peak: Math.min(1, peak), rms: filled === 0 ? 0 : Math.min(1, Math.sqrt(energy / filled)) }
      const mean = taken.reduce((sum, level) => sum + level.rms * level.rms, 0) / taken.length
      return { peak: Math.min(1, Math.max(...taken.map((level) => level.peak))), rms: Math.min(1, Math.sqrt(mean)) }
    },
  }
}
