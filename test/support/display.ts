import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { findProgram } from './machine.ts'

interface Display {
  /** The value of DISPLAY for programs that open windows on it. */
  readonly name: string
  close(): Promise<void>
}

/** An X display without a screen, on an unused number. */
export async function startDisplay(): Promise<Display> {
  const program = findProgram('Xvfb')
  if (program === null) throw new Error('Xvfb was not found')
  const arguments_ = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']
  const child = spawn(program, arguments_, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdio[3] as Readable })
  const number = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    ended.then(() => Promise.reject(new Error('Xvfb ended at once'))),
  ])
  return {
    name: `:${number}`,
    async close() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', killWithUs)
    },
  }
}
