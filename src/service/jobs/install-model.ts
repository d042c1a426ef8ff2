import { AppError } from '#contract/errors.ts'
import { timestamp } from '#base/clock.ts'
import { embeddedCaller } from '#service/kernel/caller.ts'
import { type ModelParts, tryOut } from '../models/open-models.ts'
import { arrivedAs } from '../models/installed.ts'
import { installFiles } from '../models/install.ts'
import { inPractice } from '../store/in-practice.ts'
import { resetDownloadCount, findModel, putModel } from '../store/models.ts'
import type { OperationRow } from '../store/operations.ts'
import type { CleanUp, Finish, JobPorts, Work } from './run.ts'

export interface InstallTask {
  readonly model_id: string
  readonly mirror: string | null
}

type Ports = JobPorts & { readonly models: ModelParts }

const SHARE_OF_FETCHING = 0.98
const TELL_EVERY = 500

/** Stopping the service pauses the download; canceling the running operation deletes the partial files. */
export function installModelWorker(ports: Ports) {
  const { clock, models } = ports
  return async (operation: OperationRow, work: Work): Promise<Finish> => {
    const { model_id, mirror } = JSON.parse(operation.payload ?? '') as InstallTask
    if (!isOfOperator(operation)) throw new AppError('forbidden', 'Only the operator of this service installs models.')
    const entry = models.catalogue.find(({ id }) => id === model_id)
    if (entry === undefined) throw new AppError('not-found')
    const tell = teller(ports, operation, work)
    try {
      const { folder, tuning } = models
      const { signal } = work
      const asked = { folder, mirror, signal, onProgress: tell.progress, ...(tuning === undefined ? {} : { tuning }) }
      const files = await installFiles(entry, asked)
      await tell.done()
      const record = arrivedAs(entry, files, 'source', timestamp(clock))
      const tested = await tryOut(ports, record, work.signal)
      return async (write) => {
        await putModel(write, { ...record, ...tested })
        return { kind: 'model', id: record.id, touched: [] }
      }
    } catch (error) {
      if (isStopped(work.signal)) models.folder.dropIncoming(model_id)
      throw error
    }
  }
}

/** True if the operator queued the operation. Older versions also let practice owners queue installations. */
const isOfOperator = ({ agent }: OperationRow): boolean =>
  (JSON.parse(agent) as { readonly source: string }).source === embeddedCaller.source

export function dropUnrecorded({ folder }: ModelParts): CleanUp {
  return async (write, operation) => {
    const { model_id } = JSON.parse(operation.payload ?? '{}') as Partial<InstallTask>
    if (model_id !== undefined && (await findModel(write, model_id)) === null) folder.remove(model_id)
  }
}

const isStopped = (signal: AbortSignal): boolean =>
  signal.aborted && signal.reason instanceof AppError && signal.reason.code === 'cancelled'

/** Each stored progress also resets the attempt count, because the download is advancing. */
function teller({ db, clock }: Ports, operation: OperationRow, work: Work) {
  let told = -Infinity
  let last: Promise<void> = Promise.resolve()
  return {
    progress(share: number): void {
      if (clock.elapsed() - told < TELL_EVERY) return
      told = clock.elapsed()
      last = last
        .then(() => work.progress(Math.min(SHARE_OF_FETCHING, share * SHARE_OF_FETCHING)))
        .then(() => inPractice(db, operation.practice_id, (write) => resetDownloadCount(write, operation.id)))
        .catch(() => {})
    },
    done: () => last,
  }
}
