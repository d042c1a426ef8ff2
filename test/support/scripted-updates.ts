import type { UpdateSource } from '#main/updates/updates.ts'

export const offered = { version: '1.1.0', released_at: null, notes: null, bytes: 5, address: null }
/** Answers at once, and writes down what it was asked for. */
export class ScriptedSource implements UpdateSource {
  readonly log: string[]
  fails: Partial<Record<keyof UpdateSource, Error>> = {}
  constructor(log: string[]) {
    this.log = log
  }
  async #do(name: Exclude<keyof UpdateSource, 'log'>): Promise<void> {
    this.log.push(name)
    await Promise.resolve()
    const error = this.fails[name]
    if (error !== undefined) throw error
  }
  async check() {
    await this.#do('check')
    return offered
  }
  async download(onProgress: (progress: number) => void) {
    await this.#do('download')
    for (let part = 1; part <= 1000; part++) onProgress(part / 1000)
  }
  verify = () => this.#do('verify')
  async install() {
    await this.#do('install')
    return { startsApp: false }
  }
}
