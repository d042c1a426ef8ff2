/** A service that is told to install a model and then killed: the store, its key, the folder and the source by argument. */
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { createServiceClient } from '#client/client.ts'
import { readCatalogue } from '#service/models/known-models.ts'
import { openService } from '#service/compose/open-service.ts'
import { quick, smallEntry } from './small-model.ts'

const [file = '', key = '', folder = '', mirror = ''] = process.argv.slice(2)
const service = await openService({
  store: { kind: 'sqlite', file, key: Buffer.from(key, 'hex') },
  models: { folder, catalogue: readCatalogue([smallEntry]), tuning: { ...quick, idleMs: 60_000, syncEvery: 16_384 } },
  audio: null,
  speech: () => null,
  clock: systemClock,
  log: silentLog,
  consentPolicy: 'asserted',
  caller: 'embedded',
})
const client = createServiceClient({ base_url: 'http://embedded.invalid/v1', fetch: (request) => service.fetch(request) })
const { data } = await client.call('installModel', { params: { id: 'small' }, body: { mirror } })
process.stdout.write(`${JSON.stringify(data)}\n`)
await service.close()
