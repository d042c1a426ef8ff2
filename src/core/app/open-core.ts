import { AppError } from '#contract/errors.ts'
import type { Core, CorePorts } from './core-ports.ts'
import { type AnyHandler, dispatch } from './dispatch.ts'
import { Gate } from './gate.ts'

export type { Core, CorePorts, EmbeddedService, ServiceFactory } from './core-ports.ts'

export async function openCore(ports: CorePorts): Promise<Core> {
  const gate = new Gate(ports)
  await gate.begin(ports.start_locked === true)
  const handlerOf = (name: string): AnyHandler => {
    const handlers = { ...gate.profile?.handlers, ...gate.handlers } as Record<string, AnyHandler | undefined>
    const handler = handlers[name]
    if (handler !== undefined) return handler
    throw gate.profile === null
      ? new AppError('vault-locked')
      : new AppError('bad-request', 'The core does not answer this method.')
  }
  return {
    call: (name, input) =>
      gate.during(name, async () => {
        const answer = await dispatch(ports.log, handlerOf, name, input)
        if (!answer.ok && answer.error.code === 'database-damaged') gate.profile?.suspectDamage()
        return answer
      }),
    media: async (request) =>
      gate.profile?.media(request) ?? new Response(null, { status: 423, headers: { 'cache-control': 'no-store' } }),
    state: () => gate.state,
    close: () => gate.close(),
  }
}
