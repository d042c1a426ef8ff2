import type { Handlers, MethodName } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { ModelList } from '#contract/model/speech-model.ts'
import { errorKind } from '#base/log.ts'
import type { ServiceClient } from '#client/client.ts'
import { waitInTime } from '#base/clock.ts'
import type { RecordParts } from '#core/records/repositories.ts'

type Names = Extract<MethodName, `models.${string}`>

interface Parts extends Pick<RecordParts, 'settings' | 'change' | 'emit'> {
  readonly client: () => ServiceClient
  readonly onModelsChanged: () => void
}

export function createModels({ client, settings, change, emit, onModelsChanged }: Parts) {
  const ask = async (): Promise<ModelList> =>
    (await client().call('listModels', { query: { language: settings().language } })).data
  const tell = (list: ModelList): void => emit('models.changed', list)
  const follower = followInstalls({ ask, tell, onEnded: onModelsChanged, wait: waitInTime })
  const list = async (): Promise<ModelList> => {
    const now = await ask()
    follower.heed(now)
    return now
  }
  const changed = async (action: string): Promise<ModelList> => {
    change([], ({ audit }) => audit({ action, subject_id: settings().therapist_id }))
    const now = await list()
    tell(now)
    onModelsChanged()
    return now
  }
  let begun: Promise<void> = Promise.resolve()
  return {
    handlers: modelHandlers({ client, settings, list, changed }),
    start(): Promise<void> {
      // Don't ask a practice's service for its models at start, because it may refuse.
      if (settings().service_address === null) begun = list().then(unneeded, unneeded)
      return begun
    },
    async stop(): Promise<void> {
      await begun
      await follower.stop()
    },
  }
}

interface Steps extends Pick<Parts, 'client' | 'settings'> {
  readonly list: () => Promise<ModelList>
  readonly changed: (action: string) => Promise<ModelList>
}

function modelHandlers({ client, settings, list, changed }: Steps): Handlers<Names> {
  const act = (operation: 'removeModel' | 'chooseModel' | 'testModel', action: string) => {
    return async ({ id }: { id: string }): Promise<ModelList> => {
      await client().call(operation, { params: { id } })
      return changed(action)
    }
  }
  return {
    'models.list': list,
    async 'models.install'({ id }) {
      const body = { mirror: settings().model_mirror }
      await client().call('installModel', { params: { id }, body, preferAsync: true })
      return changed('model.asked')
    },
    async 'models.cancel'({ id }) {
      const operation = (await list()).data.find((model) => model.id === id)?.operation
      if (!operation) throw new AppError('not-found')
      await client().call('cancelOperation', { params: { id: operation.id } })
      return changed('model.stopped')
    },
    'models.remove': act('removeModel', 'model.removed'),
    'models.choose': act('chooseModel', 'model.chosen'),
    'models.test': act('testModel', 'model.tested'),
    async 'models.import'({ paths, own_name }) {
      const { data } = await client().call('importModels', { body: { paths, own_name } })
      await changed('model.imported')
      return data
    },
  }
}

const unneeded = (): void => {}

interface Ports {
  readonly ask: () => Promise<ModelList>
  readonly tell: (list: ModelList) => void
  readonly onEnded: () => void
  readonly wait: (ms: number | null, signal: AbortSignal) => Promise<void>
}

const PAUSE = 1000

function followInstalls({ ask, tell, onEnded, wait }: Ports) {
  const stopping = new AbortController()
  let following: Promise<void> | null = null

  async function follow(): Promise<void> {
    for (let before = ''; !stopping.signal.aborted;) {
      await wait(PAUSE, stopping.signal)
      if (stopping.signal.aborted) return
      const list = await ask().catch(() => null)
      if (list === null) continue
      const now = JSON.stringify(list.data.map(({ state, operation }) => [state, operation]))
      if (now !== before) tell(list)
      before = now
      if (isUnderWay(list)) continue
      following = null
      onEnded()
      return
    }
  }
  return {
    heed(list: ModelList): void {
      if (isUnderWay(list) && !stopping.signal.aborted) following ??= follow()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await following
    },
  }
}

const isUnderWay = ({ data }: ModelList): boolean => data.some(({ operation }) => operation !== null)

type SpeechPorts = Pick<RecordParts, 'settings' | 'emit' | 'log'> & {
  readonly embedded: () => ServiceClient
  readonly onRefreshed: () => void
}

export type SpeechWatch = ReturnType<typeof watchSpeech>

export function watchSpeech({ embedded, settings, emit, log, onRefreshed }: SpeechPorts) {
  let hasModels = false
  let looking: Promise<void> = Promise.resolve()
  const refresh = async (): Promise<void> => {
    const { speech_engine, service_address } = settings()
    if (speech_engine !== 'local' || service_address !== null) return
    const before = hasModels
    hasModels = await isReady(embedded())
    if (hasModels !== before) emit('records.changed', { kinds: ['transcripts'] })
  }
  return {
    isSpeechReady(): boolean {
      const { speech_engine, speech_address, service_address } = settings()
      if (service_address !== null) return true
      return speech_engine === 'server' ? speech_address !== null : speech_engine === 'local' && hasModels
    },
    lookAgain(): void {
      looking = refresh()
        .then(onRefreshed)
        .catch((error: unknown) => log.error('speech.look', { kind: errorKind(error) }))
    },
    stop: () => looking,
  }
}

export async function isReady(service: ServiceClient): Promise<boolean> {
  try {
    return (await service.call('describeService', {})).data.engines.speech.ready
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
