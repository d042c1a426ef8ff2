import { existsSync } from 'node:fs'
import { join } from 'node:path'

const places = ['redoc.standalone.js', '../../../../node_modules/redoc/bundles/redoc.standalone.js']

/** Beside the built service, or where npm put it. Null in the desktop app, whose package leaves it out. */
export function redocBundle(): string | null {
  return places.map((place) => join(import.meta.dirname, place)).find((file) => existsSync(file)) ?? null
}
