/** Starts the built app the way Electron does. Forked by started-app.ts. */
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'
import { options } from './options.ts'

const reallyExit = (code: number): never => Reflect.get(process, 'reallyExit').call(process, code) as never

// Its native part is chosen by the platform, and stays the machine's.
new Database(':memory:').close()
Object.defineProperty(process, 'platform', { value: options.platform })
Object.assign(process, { type: 'browser', resourcesPath: options.appPath, defaultApp: !options.isPackaged })
const { version } = createRequire(import.meta.url)('electron/package.json') as { version: string }
Object.defineProperty(process.versions, 'electron', { value: version })
process.argv.splice(1, process.argv.length, ...(options.isPackaged ? [] : [options.appPath]), ...options.args)

const electron = new URL('./electron.ts', import.meta.url).href
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' || name === 'electron/main' ? { url: electron, shortCircuit: true } : next(name, context),
})

// A test may replace pieces of the entry module's code, as if it had been written differently.
const replacements = JSON.parse(process.env['AFTERWORD_STAND_IN_CODE'] ?? '[]') as [string, string][]
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (url !== pathToFileURL(options.entry).href) return loaded
    let source = Buffer.from(loaded.source as Uint8Array).toString('utf8')
    for (const [original, replacement] of replacements) {
      if (!source.includes(original)) throw new Error(`the entry module does not contain ${original}`)
      source = source.replace(original, () => replacement)
    }
    return { ...loaded, source }
  },
})

const { app } = await import('./app.ts')
const { dialog } = await import('./dialog.ts')
const { parseArguments } = await import('./command-line.ts')
const { serveControls } = await import('./controls.ts')
const { record } = await import('./journal.ts')
const { reportUncaught } = await import('./native-emitter.ts')

parseArguments(options.args)
// The test process is gone.
process.on('disconnect', () => reallyExit(1))
app.standIn.onEnd(reallyExit)
process.exit = ((code?: number) => app.exit(code)) as typeof process.exit
// Electron quits on these, unless the app listens itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  void app.whenReady().then(() => process.on(signal, () => process.listenerCount(signal) === 1 && app.quit()))
}
process.on('uncaughtException', (error) => {
  record('uncaught', error.stack ?? error.message)
  process.stderr.write(`uncaught: ${error.stack ?? error.message}\n`)
  if (process.listenerCount('uncaughtException') > 1) return
  dialog.showErrorBox('A JavaScript error occurred in the main process', `Uncaught Exception:\n${error.stack ?? error.message}`)
})

serveControls()
// Until the entry module settles, only its own work keeps this process alive. An entry that waits for `ready` waits for
// itself: the event loop is empty, and Node exits with code 13.
process.channel?.unref()
process.once('exit', (code) => {
  if (code === 13) process.stderr.write('the entry module waits for `ready`, and `ready` waits for the entry module\n')
})
try {
  await import(pathToFileURL(options.entry).href)
} catch (error) {
  reportUncaught(error)
}
process.channel?.ref()
app.standIn.finishLaunching()
