import { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import type { CatalogueEntry, CatalogueFile } from './catalogue.ts'
import type { Check } from './model-folder.ts'
import { Interruption, mirrored, refusalOf, type Source } from './source.ts'

export type WantedFile = Awaited<ReturnType<typeof wantedFiles>>[number]

const treeSchema = z.array(
  z.object({
    path: z.string(),
    size: z.int().min(0).optional(),
    oid: z.string().optional(),
    lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().min(0) }).optional(),
  }),
)
/** A release in the GitHub API. Files uploaded before mid-2025 have no `digest`. */
const releaseSchema = z.object({
  assets: z.array(z.object({ name: z.string(), size: z.int().min(0), digest: z.string().nullish() })),
})

const MAX_LIST = 4 * 1024 * 1024
const hosted = /^https:\/\/huggingface\.co\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/
const released = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/releases\/download\/([^/]+)\/(.+)$/

type Listed = { readonly bytes: number; readonly check: Check }

/** Each file needs a size and checksum from the catalogue or else from the source's list; otherwise the model is refused. */
export async function wantedFiles(entry: CatalogueEntry, mirror: string | null, source: Source, signal: AbortSignal) {
  const lists = new Map<string, Promise<unknown>>()
  const read = (address: string): Promise<unknown> => {
    const known = lists.get(address) ?? readList(mirrored(address, mirror), source, signal)
    lists.set(address, known)
    return known
  }
  return Promise.all(
    entry.files.map(async (file) => {
      const { role, name } = file
      const address = mirrored(file.address, mirror)
      const known = knownOf(file)
      const { bytes, check } = known ?? (await listedOf(file, read))
      return { role, name, address, bytes, check, checksum_from: known === null ? ('source' as const) : ('catalogue' as const) }
    }),
  )
}

function knownOf({ bytes, sha256 }: CatalogueFile): Listed | null {
  return bytes === null || sha256 === null ? null : { bytes, check: { sha256 } }
}

async function listedOf({ address, name }: CatalogueFile, read: (address: string) => Promise<unknown>): Promise<Listed> {
  const repository = hosted.exec(address)
  if (repository !== null) {
    const [, owner, revision, path] = repository
    const tree = treeSchema.safeParse(await read(`https://huggingface.co/api/models/${owner}/tree/${revision}?recursive=true`))
    const line = tree.data?.find((found) => found.path === decodeURIComponent(path ?? ''))
    if (line?.lfs) return { bytes: line.lfs.size, check: { sha256: line.lfs.oid } }
    if (line?.size !== undefined && /^[0-9a-f]{40}$/.test(line.oid ?? ''))
      return { bytes: line.size, check: { git_sha1: line.oid ?? '' } }
  }
  const release = released.exec(address)
  if (release !== null) {
    const [, owner, tag, path] = release
    const list = releaseSchema.safeParse(await read(`https://api.github.com/repos/${owner}/releases/tags/${tag}`))
    const asset = list.data?.assets.find((found) => found.name === decodeURIComponent(path ?? ''))
    const sha256 = /^sha256:([0-9a-f]{64})$/.exec(asset?.digest ?? '')?.[1]
    if (asset && sha256 !== undefined) return { bytes: asset.size, check: { sha256 } }
  }
  throw new AppError('model-mismatch', `The download server lists no checksum for ${name}, so Afterword didn’t download it.`)
}

async function readList(address: string, source: Source, signal: AbortSignal): Promise<unknown> {
  const answer = await source.get(address, { accept: 'application/json' }, signal)
  const { status, body } = answer
  if (status !== 200) {
    body.resume()
    if (status === 404)
      throw new AppError(
        'download-failed',
        'The download server has no list of this model’s files with their checksums. A mirror needs this list too.',
      )
    throw refusalOf(answer)
  }
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of body) {
      length += (part as Buffer).length
      if (length > MAX_LIST) throw new AppError('model-mismatch', 'The download server’s list of files is too long.')
      parts.push(part as Buffer)
    }
  } catch (error) {
    if (error instanceof AppError || signal.aborted) throw error
    throw new Interruption('list cut')
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    throw new AppError('model-mismatch', webPage)
  }
}

export const webPage = 'Afterword received a web page instead of the model. The network may need a sign-in.'
