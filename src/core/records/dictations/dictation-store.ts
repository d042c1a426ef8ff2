import { fstatSync } from 'node:fs'
import type { Sqlite } from '#base/sqlite.ts'
import type { Dictation } from '#contract/bridge/dictations.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'
import { decodeFileHeader, unitsToMs } from '#core/recordings/format.ts'
import { indexOgg, oggBytes } from '#core/recordings/ogg-mux.ts'
import { recoverEnd } from '#core/recordings/record-scan.ts'
import { openSource } from '#core/recordings/recording-audio.ts'
import { recordingFiles } from '#core/recordings/recording-files.ts'

/** Rows and sealed files of dictations. A file has the format of a recording's, but no recording's name or folder. */
export function createDictationStore(db: Sqlite, keys: VaultKeys, folder: string) {
  const files = recordingFiles(folder, '.afd')
  const fields = 'id, session_id, section_key, started_at, saved_ms'
  const one = db.prepare(`select ${fields} from dictations where id = ?`)
  const ofSession = db.prepare(`select ${fields} from dictations where session_id = ? order by started_at`)
  const ids = db.prepare('select id from dictations').pluck()
  const insert = db.prepare(`insert into dictations (${fields}) values (@id, @session_id, @section_key, @started_at, @saved_ms)`)
  const setSaved = db.prepare('update dictations set saved_ms = ? where id = ?')
  const remove = db.prepare('delete from dictations where id = ?')
  const erased = db.prepare('select id from erased_dictations').pluck()
  const shredded = db.prepare('delete from erased_dictations where id = ?')
  const open = (id: string) => openSource(files, keys, { id, state: 'finished', header: null })
  const find = (id: string) => (one.get(id) as Dictation | undefined) ?? null

  /** Length of the sound in a closed file. */
  function measure(id: string): number {
    using source = open(id)
    return unitsToMs(recoverEnd(source.file, fstatSync(source.file).size, id, source.key, 0).position)
  }

  return {
    files,
    find,
    measure,
    ids: () => ids.all() as string[],
    ofSession: (sessionId: string) => ofSession.all(sessionId) as Dictation[],
    insert: (row: Dictation): void => void insert.run(row),
    setSaved: (id: string, savedMs: number): void => void setSaved.run(savedMs, id),
    remove: (id: string): void => void remove.run(id),
    shredErased(): void {
      for (const id of erased.all() as string[]) {
        files.shred(id)
        shredded.run(id)
      }
    },
    /** Adds the row of a file that has none. */
    adopt(id: string): void {
      const header = decodeFileHeader(files.header(id) ?? Buffer.alloc(0))
      if (header === null || header.recording_id !== id) return
      const { session_id, created_ms } = header
      insert.run({ id, session_id, section_key: null, started_at: new Date(created_ms).toISOString(), saved_ms: measure(id) })
    },
    async *read(id: string): AsyncGenerator<Uint8Array> {
      using source = open(id)
      const ogg = await indexOgg(source, fstatSync(source.file).size)
      yield* oggBytes(source, ogg, 0, ogg.bytes)
    },
  }
}
