import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { threadFile } from '#shell/thread-file.ts'
import { type ToCore, toSupervisorSchema } from './messages.ts'
import { newSecrets, type PreviewSecrets, withNewToken } from './secrets.ts'

export interface Supervisor {
  /** An address that opens once. */
  freshAddress(): string
  close(): Promise<void>
}

interface SupervisorOptions {
  readonly folder: string
  readonly port: number
  readonly onFailing: () => void
  readonly onStarted: (processId: number) => void
}

const mostRestartsPerMinute = 200
const restartPause = (deaths: number): number => (deaths < 3 ? 0 : Math.min(100 * deaths, 3000))

/** Keeps one core process alive on one port. A window keeps what the dead one had not acknowledged and sends it to the next. */
export async function supervise(options: SupervisorOptions): Promise<Supervisor> {
  let secrets: PreviewSecrets = newSecrets()
  let port = options.port
  let isClosing = false
  let isLocked = false
  let deaths: number[] = []
  let child: ChildProcess

  async function start(): Promise<void> {
    child = fork(fileURLToPath(coreFile()), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' })
    options.onStarted(child.pid ?? 0)
    const listening = new Promise<void>((done) => {
      child.on('message', (raw) => {
        const message = toSupervisorSchema.parse(raw)
        if (message.kind === 'token-used') secrets = { ...secrets, token: null }
        if (message.kind === 'locked') isLocked = message.is_locked
        if (message.kind === 'listening') {
          port = message.port
          done()
        }
      })
      child.once('exit', () => {
        done()
        if (!isClosing) restart()
      })
    })
    send(child, { kind: 'start', folder: options.folder, port, start_locked: isLocked, secrets })
    await listening
  }

  function restart(): void {
    const now = performance.now()
    deaths = [...deaths.filter((at) => now - at < 60_000), now]
    if (deaths.length > mostRestartsPerMinute || port === 0) {
      options.onFailing()
      return
    }
    const recent = deaths.filter((at) => now - at < 2000).length
    setTimeout(() => void start(), restartPause(recent))
  }

  await start()
  return {
    freshAddress() {
      secrets = withNewToken(secrets)
      send(child, { kind: 'token', token: secrets.token ?? '' })
      return `http://127.0.0.1:${port}/?token=${secrets.token ?? ''}`
    },
    async close() {
      isClosing = true
      const gone = new Promise<void>((done) => child.once('exit', () => done()))
      if (child.exitCode !== null || child.signalCode !== null) return
      send(child, { kind: 'close' })
      await gone
    },
  }
}

function send(child: ChildProcess, message: ToCore): void {
  if (child.connected) child.send(message)
}

function coreFile(): URL {
  const beside = threadFile('preview-core')
  // From source the entry lies in this folder; in the bundle all entries lie together.
  return beside.pathname.endsWith('.ts') ? new URL('./preview-core.ts', import.meta.url) : beside
}
