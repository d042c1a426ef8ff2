import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './machine.ts'

export interface Layer {
  readonly sees: readonly string[]
  readonly packages?: readonly string[]
  readonly node: boolean
  readonly electron?: boolean
}

/** The one table of layers; the lint rule reads the same file. */
export const layers = JSON.parse(readFileSync(join(repository, 'tools/lint/layers.json'), 'utf8')) as Record<string, Layer>

export const layerNames = Object.keys(layers)

/** Every pair of layers, from the importing to the imported one, and whether that is allowed. */
export const pairs = layerNames.flatMap((from) =>
  layerNames.filter((to) => to !== from).map((to) => ({ from, to, allowed: layers[from]!.sees.includes(to) })),
)
