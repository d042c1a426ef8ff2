import type { Answer } from '#contract/bridge/method.ts'

/** A bridge call that the shell takes part in. `core` passes it on to the core, which parses the input. */
export type ShellCall = (input: unknown, core: () => Promise<Answer<unknown>>) => Promise<Answer<unknown>>
export type ShellCalls = Readonly<Record<string, ShellCall>>
