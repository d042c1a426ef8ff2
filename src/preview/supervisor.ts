import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { withoutCoreDumps } from '#base/core-dumps.ts'
import { threadFile } from '#shell/thread-file.ts'
import { type OpenRecording, type PreviewSecrets, type ToCore, type ToSupervisor, toSupervisorSchema } from './messages.ts'
import { newSecrets, withNewToken } from './secrets.ts'

interface SupervisorOptions {
  readonly folder: string
  readonly port: number
  readonly onRestarted: () => void
  readonly onFailing: (reason: string | null) => void
}

const MAX_RESTARTS_PER_MINUTE = 200
const restartPause = (deaths: number): number => (deaths < 3 ? 0 : Math.min(100 * deaths, 3000))

export type Supervisor = Awaited<ReturnType<typeof supervise>>

/**
 * This process owns the port. It hands each connection to the core process, or queues up to 256 until the next core is ready.
 * @throws a listen error of Node, e.g. with the code `EADDRINUSE` if the port is in use
 */
export async function supervise(options: SupervisorOptions) {
  const connections = new Connections()
  const loopback = await listenOnLoopback(options.port, (socket) => connections.accept(socket))
  const origin = `http://${randomBytes(8).toString('hex')}.localhost:${loopback.port}`
  const core = new CoreProcess(options, origin, connections, () => {
    loopback.close()
    connections.close()
  })
  await core.start()
  return {
    freshAddress: () => `${origin}/?token=${core.newToken()}`,
    async close() {
      loopback.close()
      await core.close()
      connections.close()
    },
  }
}

class CoreProcess {
  readonly #options: SupervisorOptions
  readonly #origin: string
  readonly #connections: Connections
  readonly #giveUp: () => void
  #secrets: PreviewSecrets = newSecrets()
  #child: ChildProcess | null = null
  #isLocked = false
  #openRecordings: OpenRecording[] = []
  #isClosing = false
  #wasReady = false
  #reason: string | null = null
  #deaths: number[] = []

  constructor(options: SupervisorOptions, origin: string, connections: Connections, giveUp: () => void) {
    this.#options = options
    this.#origin = origin
    this.#connections = connections
    this.#giveUp = giveUp
  }

  async start(): Promise<void> {
    const { command: execPath, flags: execArgv } = withoutCoreDumps(process.execPath, process.execArgv)
    const stdio = ['ignore', 'inherit', 'pipe', 'ipc'] as const
    const child = fork(fileURLToPath(coreFile()), { execPath, execArgv, stdio: [...stdio], serialization: 'advanced' })
    passOnFaults(child)
    child.on('error', () => {})
    this.#child = child
    const settled = new Promise<void>((done) => {
      child.on('message', (raw) => {
        const message = toSupervisorSchema.parse(raw)
        this.#hear(child, message)
        if (message.kind === 'ready') done()
      })
      child.once('exit', () => {
        this.#connections.coreIsGone()
        done()
        if (!this.#isClosing) this.#restart()
      })
    })
    send(child, {
      kind: 'start',
      folder: this.#options.folder,
      origin: this.#origin,
      start_locked: this.#isLocked,
      open_recordings: this.#openRecordings,
      secrets: this.#secrets,
    })
    await settled
  }

  newToken(): string {
    this.#secrets = withNewToken(this.#secrets)
    const token = this.#secrets.token ?? ''
    send(this.#child, { kind: 'token', token })
    return token
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    send(child, { kind: 'close' })
    await gone
  }

  #hear(child: ChildProcess, message: ToSupervisor): void {
    switch (message.kind) {
      case 'ready':
        this.#connections.coreIsReady(child)
        if (this.#wasReady) this.#options.onRestarted()
        this.#wasReady = true
        this.#reason = null
        break
      case 'taken':
        this.#connections.taken(message.id)
        break
      case 'token-used':
        this.#secrets = { ...this.#secrets, token: null }
        break
      case 'locked':
        this.#isLocked = message.is_locked
        break
      case 'open-recordings':
        this.#openRecordings = message.recordings
        break
      case 'failed':
        this.#reason = message.reason
    }
  }

  #restart(): void {
    const now = performance.now()
    this.#deaths = [...this.#deaths.filter((at) => now - at < 60_000), now]
    if (this.#deaths.length > MAX_RESTARTS_PER_MINUTE || !this.#wasReady) {
      this.#giveUp()
      this.#options.onFailing(this.#reason)
      return
    }
    const recent = this.#deaths.filter((at) => now - at < 2000).length
    setTimeout(() => {
      if (!this.#isClosing) void this.start()
    }, restartPause(recent))
  }
}

function send(child: ChildProcess | null, message: ToCore): void {
  if (child?.connected) child.send(message, () => {})
}

/** Log lines are also in a file, so the terminal shows only other output, such as Node's own crash message. */
function passOnFaults(child: ChildProcess): void {
  if (child.stderr === null) return
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!line.startsWith('{"at":')) process.stderr.write(`${line}\n`)
  })
}

function coreFile(): URL {
  const beside = threadFile('preview-core')
  return beside.pathname.endsWith('.ts') ? new URL('./preview-core.ts', import.meta.url) : beside
}

const MAX_WAITING = 256

/** Node loses a connection that a dying process has not received, so each one stays open here until the core confirms it. */
class Connections {
  #core: ChildProcess | null = null
  #waiting: Socket[] = []
  readonly #onTheirWay = new Map<number, Socket>()
  #last = 0

  accept(socket: Socket): void {
    if (this.#core !== null) this.#handOver(this.#core, socket)
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(socket)
    else socket.destroy()
  }

  coreIsReady(core: ChildProcess): void {
    this.#core = core
    for (const socket of this.#waiting) this.#handOver(core, socket)
    this.#waiting = []
  }

  taken(id: number): void {
    this.#onTheirWay.get(id)?.destroy()
    this.#onTheirWay.delete(id)
  }

  /** Closes unconfirmed connections, because the core may have read from them. Browsers reconnect. */
  coreIsGone(): void {
    this.#core = null
    for (const id of this.#onTheirWay.keys()) this.taken(id)
  }

  close(): void {
    this.coreIsGone()
    for (const socket of this.#waiting) socket.destroy()
    this.#waiting = []
  }

  #handOver(core: ChildProcess, socket: Socket): void {
    this.#last += 1
    const id = this.#last
    this.#onTheirWay.set(id, socket)
    core.send({ kind: 'connection', id } satisfies ToCore, socket, { keepOpen: true }, (error) => {
      if (error !== null) this.taken(id)
    })
  }
}

const ATTEMPTS = 20

/**
 * Listens on 127.0.0.1 and, if the machine has it, ::1. Browsers resolve a .localhost name to either, so another program could
 * take a port that is free on one of them.
 * @param port 0 for any free port
 * @param onConnection receives each connection paused and unread
 * @throws a listen error of Node, e.g. with the code `EADDRINUSE` if the port is in use
 */
export async function listenOnLoopback(port: number, onConnection: (socket: Socket) => void) {
  for (let attempt = 1; ; attempt += 1) {
    const four = await listen('127.0.0.1', port, onConnection)
    const own = (four.address() as AddressInfo).port
    try {
      const six = await listenWhereThereIsOne('::1', own, onConnection)
      return {
        port: own,
        close() {
          four.close()
          six?.close()
        },
      }
    } catch (error) {
      four.close()
      if (port !== 0 || attempt === ATTEMPTS) throw error
    }
  }
}

/** Null if this machine does not have the address; then no other program can listen on it. */
async function listenWhereThereIsOne(...parts: Parameters<typeof listen>): Promise<Server | null> {
  try {
    return await listen(...parts)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return null
    throw error
  }
}

function listen(host: string, port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer({ pauseOnConnect: true }, onConnection)
    server.once('error', fail)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', fail)
      done(server)
    })
  })
}
