import { basename, dirname } from 'node:path'
import { statSync } from 'node:fs'
import type { Catalogue, CatalogueEntry } from './catalogue-entry.ts'

export interface Found {
  readonly entry: CatalogueEntry
  /** Name in the catalogue to path. */
  readonly files: ReadonlyMap<string, string>
}

/** Of what a source lists, rounded to megabytes; models of one shape differ by more. */
const tolerance = 0.006

/**
 * Models of the catalogue whose files are all there under their own names. Two models may call their files the same: then
 * the folder's name tells them apart, else their length.
 */
export function matchCatalogue(catalogue: Catalogue, paths: readonly string[]): Found[] {
  const byFolder = Map.groupBy(paths, (path) => dirname(path))
  return [...byFolder.values()].flatMap((inFolder) => matchFolder(catalogue, inFolder))
}

function matchFolder(catalogue: Catalogue, paths: readonly string[]): Found[] {
  const byName = new Map(paths.map((path) => [basename(path), path]))
  const complete = catalogue.flatMap((entry): Found[] => {
    const files = entry.files.flatMap(({ name }): [string, string][] => {
      const path = byName.get(name)
      return path === undefined ? [] : [[name, path]]
    })
    return files.length === entry.files.length ? [{ entry, files: new Map(files) }] : []
  })
  const bySameFiles = Map.groupBy(complete, ({ files }) => [...files.keys()].toSorted().join('\n'))
  return [...bySameFiles.values()].flatMap((rivals) => oneOf(rivals, basename(dirname(paths[0] ?? ''))))
}

function oneOf(rivals: readonly Found[], folder: string): readonly Found[] {
  const named = rivals.filter(({ entry }) => folder.includes(entry.id) || folder === basename(new URL(entry.page).pathname))
  if (named.length === 1) return named
  return rivals.filter((found) => isOfListedLength(found))
}

function isOfListedLength({ entry, files }: Found): boolean {
  if (entry.files.every(({ bytes }) => bytes !== null)) return true
  const megabytes = [...files.values()].reduce((sum, path) => sum + statSync(path).size, 0) / 1_000_000
  // A small list is rounded coarsely.
  return Math.abs(megabytes - entry.listed_megabytes) <= Math.max(0.5, entry.listed_megabytes * tolerance)
}
