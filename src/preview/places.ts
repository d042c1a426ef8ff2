import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder, from source (`src/preview`) and from the bundle (`out/main`) alike: two up. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

export const rendererFolder = join(root, 'out', 'renderer')
export const resourcesFolder = join(root, 'resources')
export const appVersion = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
