import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds `out/` and `resources/`, packaged (inside the archive) and unpackaged alike. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

export const rendererFolder = join(root, 'out', 'renderer')
export const resourcesFolder = join(root, 'resources')
export const preloadFile = join(root, 'out', 'preload', 'index.cjs')
/** The window's own origin. */
export const appOrigin = 'app://afterword'
