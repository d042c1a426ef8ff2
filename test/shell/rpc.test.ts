import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { createRpc, Moved } from '#shell/rpc.ts'

function pair(handlers: Parameters<typeof createRpc>[1]) {
  const { port1, port2 } = new MessageChannel()
  createRpc(port2, handlers)
  return { rpc: createRpc(port1, {}), close: () => port1.close() }
}

test('an answer comes back to the question it belongs to, in whatever order they finish', async () => {
  const waits: (() => void)[] = []
  const { rpc, close } = pair({
    slow: () => new Promise((done) => waits.push(() => done('slow'))),
    quick: () => {
      for (const finish of waits) finish()
      return 'quick'
    },
  })
  expect(await Promise.all([rpc.call('slow', {}), rpc.call('quick', {})])).toEqual(['slow', 'quick'])
  close()
})

test('an expected failure arrives as the same failure, a bug as an error without a code', async () => {
  const { rpc, close } = pair({
    refuse: () => {
      throw new AppError('disk-full', 'nothing left')
    },
    break: () => {
      throw new TypeError('boom')
    },
  })
  const refused = await rpc.call('refuse', {}).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(AppError)
  expect(refused).toMatchObject({ code: 'disk-full', detail: 'nothing left' })
  const broken = await rpc.call('break', {}).catch((error: unknown) => error)
  expect(broken).not.toBeInstanceOf(AppError)
  close()
})

test('a stream is moved to the asking thread and read there', async () => {
  const { rpc, close } = pair({
    stream: () => {
      const body = new Response('sound').body
      return new Moved({ body }, body === null ? [] : [body])
    },
  })
  const { body } = (await rpc.call('stream', {})) as { body: ReadableStream }
  expect(await new Response(body).text()).toBe('sound')
  close()
})

test('questions still open when the other end goes are refused as locked', async () => {
  const { rpc, close } = pair({ never: () => new Promise(() => {}) })
  const open = rpc.call('never', {}).catch((error: unknown) => error)
  rpc.abandon()
  expect(await open).toMatchObject({ code: 'vault-locked' })
  close()
})
