import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { open } from '#base/aead.ts'
import { openEncryptedPages } from '#base/encrypted-pages.ts'
import { setAsideOf } from '#base/set-aside.ts'
import { isOwnHeader, recordingFiles } from '#core/recordings/recording-files.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'
import { inventory, inventoryContext } from './profile-files.ts'

/**
 * True if this key opens something in the folder, or there is nothing to open. Otherwise the wrapped key may be another
 * profile's, so nothing may be set aside. One readable database page is enough. Recordings are copied between folders more
 * often, so a majority must open.
 */
export function isKeyOfProfile(folder: string, keys: VaultKeys): boolean {
  let isEmpty = true
  for (const name of ['vault.db', 'service.db']) {
    const state = stateOf(folder, name, keys)
    if (state === 'opens') return true
    isEmpty &&= state === 'empty'
  }
  const { own, foreign } = countRecordings(join(folder, 'recordings'), keys)
  return own + foreign === 0 ? isEmpty : own > foreign
}

function stateOf(folder: string, name: string, keys: VaultKeys): 'opens' | 'closed' | 'empty' {
  const key = keys.derive(name)
  let isEmpty = true
  try {
    for (const file of [name, ...setAsideOf(join(folder, name))]) {
      const pages = openEncryptedPages(join(folder, file), key, { triesSalts: file === name })
      try {
        if (pages.opensJournal || pages.opensFile()) return 'opens'
        isEmpty &&= pages.count === 0 && !pages.isJournalForeign
      } finally {
        pages.close()
      }
    }
    return isEmpty ? 'empty' : 'closed'
  } finally {
    key.fill(0)
  }
}

interface Place {
  readonly folder: string
  readonly profile_id: string
}

/** True if this key belongs to the profile whose records the inventory lists. */
export function opensInventory({ folder, profile_id }: Place, keys: VaultKeys): boolean {
  const key = keys.derive('inventory.aw')
  try {
    return open(key, readFileSync(inventory(folder)), inventoryContext(profile_id)) !== null
  } catch {
    return false
  } finally {
    key.fill(0)
  }
}

function countRecordings(folder: string, keys: VaultKeys): { readonly own: number; readonly foreign: number } {
  const files = recordingFiles(folder)
  let [own, foreign] = [0, 0]
  for (const id of files.list()) {
    const isOwn = isOwnHeader(keys, files.header(id))
    if (isOwn === true) own += 1
    if (isOwn === false) foreign += 1
  }
  return { own, foreign }
}
