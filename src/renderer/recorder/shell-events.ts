import type { Bridge } from '#contract/bridge/methods.ts'

interface ShellListener {
  /** Resolves when every captured record is on disk. */
  handOver(): Promise<void>
  onResumed(): void
}

/** What the shell announces to the recorder: the app is about to quit; the computer woke up. */
export function followShell(bridge: Bridge, { handOver, onResumed }: ShellListener): void {
  bridge.on((name) => {
    if (name === 'app.closing') void handOver().finally(() => bridge.call('app.handedOver', {}))
    if (name === 'app.resumed') onResumed()
  })
}
