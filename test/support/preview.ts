import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { repository } from './machine.ts'
import { childrenOf } from './processes.ts'

export interface PreviewOptions {
  /** The folder of the records; fresh for a first run. */
  readonly profile: string
  /** 0 or nothing: a free one. A window survives a restart only on the same port. */
  readonly port?: number
  readonly passphraseFile?: string
  readonly environment?: NodeJS.ProcessEnv
}

export interface Preview {
  /** Opens once. */
  readonly address: string
  readonly port: number
  /** Everything it printed so far, for looking for what must not be there. */
  output(): string
  /** The process that holds the records now; it is another one after it was killed. */
  corePid(): number
  /** kill -9 of the process that holds the records; answers when its supervisor has started the next one. */
  killCore(): Promise<void>
  /** kill -9 of everything. */
  kill(): Promise<void>
  /** Asks it to end and waits. */
  close(): Promise<void>
}

const entry = join(repository, 'out', 'main', 'preview.js')
const secondsToStart = 120

/** Starts the preview shell as it was built, and waits until it can be opened. */
export async function startPreview(options: PreviewOptions): Promise<Preview> {
  if (!existsSync(entry)) throw new Error('out/ is missing: npm run build')
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(options),
    cwd: repository,
  })
  // A test that fails before it closes the preview leaves none behind.
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  child.once('exit', () => process.off('exit', killWithUs))
  const lines: string[] = []
  const listeners = new Set<(line: string) => void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const listener of listeners) listener(line)
    })
  }

  function waitFor(pattern: RegExp, from = 0): Promise<RegExpMatchArray> {
    const seen = lines
      .slice(from)
      .map((line) => line.match(pattern))
      .find((match) => match !== null)
    if (seen) return Promise.resolve(seen)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => finish(() => reject(new Error(`no ${pattern} within ${secondsToStart} s:\n${lines.join('\n')}`))),
        secondsToStart * 1000,
      )
      const onExit = (): void => finish(() => reject(new Error(`the preview ended:\n${lines.join('\n')}`)))
      const listener = (line: string): void => {
        const match = line.match(pattern)
        if (match) finish(() => resolve(match))
      }
      function finish(then: () => void): void {
        clearTimeout(timer)
        listeners.delete(listener)
        child.off('exit', onExit)
        then()
      }
      listeners.add(listener)
      child.once('exit', onExit)
    })
  }

  const [address = '', port = ''] = await waitFor(/^http:\/\/[0-9a-f]+\.localhost:(\d+)\/\?token=\S+$/)
  const corePid = (): number => onlyChildOf(child.pid ?? 0)
  return {
    address,
    port: Number(port),
    output: () => lines.join('\n'),
    corePid,
    async killCore() {
      const from = lines.length
      process.kill(corePid(), 'SIGKILL')
      await waitFor(/^Afterword restarted/, from)
    },
    async kill() {
      const cores = childrenOf(child.pid ?? 0)
      await end(child, 'SIGKILL')
      for (const core of cores) killQuietly(core.id)
    },
    close: () => end(child, 'SIGTERM'),
  }
}

function environment({ profile, port = 0, passphraseFile, environment: extra }: PreviewOptions): NodeJS.ProcessEnv {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, DBUS_SESSION_BUS_ADDRESS: _bus, ...inherited } = process.env
  return {
    ...inherited,
    AFTERWORD_PROFILE: profile,
    AFTERWORD_PORT: String(port),
    AFTERWORD_NO_OPEN: '1',
    // American formats, whatever the locale of this machine.
    LC_ALL: 'C.UTF-8',
    ...(passphraseFile === undefined ? {} : { AFTERWORD_PASSPHRASE_FILE: passphraseFile }),
    ...extra,
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** The supervisor has one child: the process that holds the records. */
function onlyChildOf(parent: number): number {
  const [child, ...others] = childrenOf(parent)
  if (child === undefined || others.length > 0) throw new Error('the supervisor has no child, or more than one')
  return child.id
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with its supervisor.
  }
}
