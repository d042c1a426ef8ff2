import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { ToCore } from './messages.ts'

/** Connections that wait for a core; a window opens six at most. */
const MAX_WAITING = 256

/**
 * Hands connections to the core process, or keeps them until there is one. Each stays open here until the core has taken
 * it: Node forgets those that a dying process had not received, and their browsers would wait forever.
 */
export class Connections {
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

  /** Closes our own end alone; the connection itself stays open where the core has it. */
  taken(id: number): void {
    this.#onTheirWay.get(id)?.destroy()
    this.#onTheirWay.delete(id)
  }

  /** Those on their way may have been read from, so they are closed; a browser connects again. */
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
