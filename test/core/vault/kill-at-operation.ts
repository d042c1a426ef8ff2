import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * This process kills itself at the given operation on a file after `count` is called. SQLite's own writes are not counted;
 * they stand between two of ours. Modules that write are imported after this.
 */
export function killAtOperation(number: number): { count(): void } {
  let operations = -Infinity
  const call =
    <Input extends unknown[], Output>(inner: (...input: Input) => Output) =>
    (...input: Input): Output => {
      if (++operations === number) process.kill(process.pid, 'SIGKILL')
      return inner(...input)
    }
  const names = ['mkdirSync', 'openSync', 'writeSync', 'fsyncSync', 'closeSync', 'renameSync'] as const
  Object.assign(fs, Object.fromEntries(names.map((name) => [name, call(fs[name] as (...input: unknown[]) => unknown)])))
  syncBuiltinESMExports()
  return {
    count: () => {
      operations = 0
    },
  }
}
