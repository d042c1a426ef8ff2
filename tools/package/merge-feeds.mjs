/**
 * node tools/package/merge-feeds.mjs <to> <from>...: copies the packages of several jobs into one folder.
 * The two macOS jobs write feeds of the same name, each with only its own files, so this merges them.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dump, load } from 'js-yaml'
import { fail } from '../setup.mjs'

const isFeed = (name) => /^latest.*\.yml$/.test(name)

function mergeFeeds(left, right) {
  if (left.version !== right.version) fail(`the feeds are of versions ${left.version} and ${right.version}`)
  const names = new Set(left.files.map(({ url }) => url))
  return { ...left, files: [...left.files, ...right.files.filter(({ url }) => !names.has(url))] }
}

const [to, ...folders] = process.argv.slice(2)
if (folders.length === 0) fail('name a folder to copy to, and folders to copy from')
mkdirSync(to, { recursive: true })
for (const folder of folders) {
  for (const name of readdirSync(folder)) {
    const [from, target] = [path.join(folder, name), path.join(to, name)]
    if (!isFeed(name) || !existsSync(target)) {
      if (existsSync(target)) fail(`${name} is in two folders`)
      copyFileSync(from, target)
      continue
    }
    const merged = mergeFeeds(load(readFileSync(target, 'utf8')), load(readFileSync(from, 'utf8')))
    writeFileSync(target, dump(merged, { lineWidth: -1 }))
  }
}
