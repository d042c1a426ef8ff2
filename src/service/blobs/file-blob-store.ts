import { link, mkdir, open, readdir, readFile, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { syncFolder } from '#base/durable-file.ts'
import { diskFailure } from '#base/disk-failure.ts'
import { newId } from '#base/ids.ts'
import type { BlobStore, StoredObject } from './blobs.ts'

const unfinished = '.new'

export function fileBlobStore(place: string): BlobStore {
  const root = resolve(place)
  return {
    put: (name, bytes) => onDisk(() => put(join(root, name), bytes)),
    get: (name) => onDisk(() => orNull(readFile(join(root, name)))),
    list: (folder) => onDisk(() => list(folder)),
    remove: (folder) =>
      onDisk(async () => {
        await rm(join(root, folder), { recursive: true, force: true })
        if ((await orNull(stat(root))) !== null) syncFolder(root)
      }),
    close: () => {},
  }

  async function put(path: string, bytes: Uint8Array): Promise<boolean> {
    const folder = dirname(path)
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    // Sync the parent of every new folder, so its name is durable.
    if (made !== undefined)
      for (let each = folder; each.length >= resolve(made).length; each = dirname(each)) syncFolder(dirname(each))
    const temporary = `${path}.${newId()}${unfinished}`
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      // Unlike rename, link never replaces an existing file.
      if (!(await isFirst(link(temporary, path)))) return false
    } finally {
      await unlink(temporary).catch(() => {})
    }
    syncFolder(folder)
    return true
  }

  async function list(folder: string): Promise<StoredObject[]> {
    const names = (await orNull(readdir(join(root, folder)))) ?? []
    const found: StoredObject[] = []
    for (const name of names.filter((each) => !each.endsWith(unfinished)).toSorted()) {
      found.push({ name: `${folder}/${name}`, bytes: (await stat(join(root, folder, name))).size })
    }
    return found
  }
}

async function isFirst(linked: Promise<void>): Promise<boolean> {
  try {
    await linked
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function orNull<Value>(read: Promise<Value>): Promise<Value | null> {
  try {
    return await read
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

async function onDisk<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw diskFailure(error) ?? error
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code
