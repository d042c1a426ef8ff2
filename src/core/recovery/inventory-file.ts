import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { open, seal } from '#base/aead.ts'
import type { Clock } from '#base/clock.ts'
import { replaceFile } from '#base/durable-file.ts'
import { setFileAside } from '#base/set-aside.ts'
import { withKey } from '#core/keys/vault-keys.ts'
import { inventory, inventoryContext } from '#core/vault/profile-files.ts'
import type { OpenVault } from '#core/vault/vault.ts'
import { attempt } from '#base/control.ts'

const cellSchema = z.union([z.string(), z.number(), z.null()])
const rowsSchema = z.array(z.array(cellSchema))

const positionSchema = z.object({ sequence: z.int(), hash: z.string(), repair: z.string().nullable() })

const headSchema = positionSchema.extend({ is_awaiting: z.boolean() })

const contentSchema = z.object({
  records: z.record(z.string(), rowsSchema),
  unsent: z.array(z.string()),
  lost: rowsSchema.default([]),
  local: z.record(z.string(), rowsSchema),
  /** Lost records, as `lostRecords` returns them, and local-only rows, until the comparison with the service has ended. */
  awaited: z.object({ records: rowsSchema, local: z.record(z.string(), rowsSchema), is_unlisted: z.boolean().default(false) }),
})

export type Rows = z.infer<typeof rowsSchema>
export type Position = z.infer<typeof positionSchema>
export type InventoryContent = z.infer<typeof contentSchema>

export type StoredInventory = NonNullable<ReturnType<ReturnType<typeof openInventoryFile>['read']>>

interface Parts {
  readonly folder: string
  readonly clock: Clock
  readonly vault: Pick<OpenVault, 'keys' | 'profile_id'>
}

export function openInventoryFile({ folder, clock, vault: { keys, profile_id } }: Parts) {
  const paths = [inventory(folder), join(folder, 'recordings', 'inventory.aw')]
  const associated = inventoryContext(profile_id)
  let written: string | null = null
  return {
    read() {
      const copies = paths.filter((path) => existsSync(path)).map((path) => ({ path, bytes: bytesOf(path) }))
      const is_in_both = copies.length === paths.length && copies.every(({ bytes }) => bytes.equals(copies[0]!.bytes))
      const readOf = (bytes: Buffer) =>
        withKey(keys, 'inventory.aw', (key) => readText(open(key, bytes, associated)?.toString('utf8') ?? null))
      const found = copies.map(({ path, bytes }) => ({ path, read: readOf(bytes) }))
      for (const { path, read } of found) if (read === null) setFileAside(path, clock, 'damaged')
      const named = found.flatMap(({ read }) => read ?? [])
      const whole = named.length > 0 ? named : paths.flatMap(renamedBeside).flatMap((path) => readOf(bytesOf(path)) ?? [])
      const newest = whole.toSorted((left, right) => right.position.sequence - left.position.sequence)[0]
      if (newest === undefined) return null
      written = is_in_both ? fingerprint(newest.text) : null
      return { ...newest, is_in_both }
    },
    write(position: Position, content: InventoryContent): boolean {
      const { records, local, is_unlisted } = content.awaited
      const is_awaiting = is_unlisted || records.length > 0 || Object.keys(local).length > 0
      const text = `${JSON.stringify({ ...position, is_awaiting })}\n${JSON.stringify(content)}`
      const print = fingerprint(text)
      if (print === written) return false
      const sealed = withKey(keys, 'inventory.aw', (key) => seal(key, Buffer.from(text), associated))
      written = null
      for (const path of paths) {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        replaceFile(path, sealed)
      }
      written = print
      return true
    },
  }
}

function readText(text: string | null) {
  if (text === null) return null
  const end = text.indexOf('\n')
  const { data: head } = headSchema.safeParse(parsed(text.slice(0, end)))
  if (head === undefined) return null
  const { is_awaiting, ...position } = head
  return { text, position, is_awaiting, content: () => contentSchema.safeParse(parsed(text.slice(end + 1))).data ?? null }
}

/** Set aside while another profile was open in the folder, or renamed by another program (`INVENT~1.AW`). */
const renamedBeside = (path: string): string[] =>
  (attempt(() => readdirSync(dirname(path))) ?? [])
    .filter((name) => /^invent.*\.aw/i.test(name) && name !== basename(path))
    .map((name) => join(dirname(path), name))

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('base64')

const bytesOf = (path: string): Buffer => attempt(() => readFileSync(path)) ?? Buffer.alloc(0)

const parsed = (text: string): unknown => attempt(() => JSON.parse(text) as unknown)
