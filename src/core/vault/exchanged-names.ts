import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '#base/durable-file.ts'
import { openEncryptedPages } from '#base/encrypted-pages.ts'
import { rename } from '#base/rename.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'

type Name = 'vault.db' | 'service.db'
type IsOf = (file: string, owner: Name) => boolean

/**
 * vault.db and service.db, or their journals, under each other's name get their names back, also where only one of them is
 * left. What is under its own name is never renamed. Cut off between two renames, the next opening does the rest.
 */
export function putExchangedNamesBack(folder: string, keys: VaultKeys): void {
  putBack(folder, '', (file, owner) =>
    withKey(keys, owner, (key) => {
      const pages = openEncryptedPages(file, key, { triesSalts: false })
      try {
        return pages.opensFile()
      } finally {
        pages.close()
      }
    }),
  )
  putBack(folder, '-wal', (file, owner) =>
    withKey(keys, owner, (key) => {
      const pages = openEncryptedPages(join(folder, owner), key, { journal: file, triesSalts: false })
      pages.close()
      return pages.opensJournal
    }),
  )
}

/** A rename was cut off. vault.db may have its name already and open, with service.db still parked. */
export const isRenamingCutOff = (folder: string): boolean =>
  ['', '-wal'].some((end) => existsSync(join(folder, `service.db.renaming${end}`)))

function putBack(folder: string, end: '' | '-wal', isOf: IsOf): void {
  const [vault, service] = [join(folder, `vault.db${end}`), join(folder, `service.db${end}`)]
  const parked = join(folder, `service.db.renaming${end}`)
  const isThere = existsSync(parked)
  if (!isThere && existsSync(vault) && isOf(vault, 'service.db')) {
    // A copy under the wrong name, or nothing to put in its place.
    if (existsSync(service) && !isOf(service, 'vault.db')) return
    rename(vault, parked)
  }
  if (!existsSync(vault) && existsSync(service) && isOf(service, 'vault.db')) rename(service, vault)
  if (existsSync(parked) && !existsSync(service)) rename(parked, service)
  syncFolder(folder)
}

function withKey(keys: VaultKeys, name: Name, work: (key: Buffer) => boolean): boolean {
  const key = keys.derive(name)
  try {
    return work(key)
  } finally {
    key.fill(0)
  }
}
