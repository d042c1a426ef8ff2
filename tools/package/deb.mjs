import { createHash } from 'node:crypto'
import { copyFileSync, chmodSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { contentsOf } from './copy-contents.mjs'

/** Writes DEBIAN/: control, checksums, and electron-builder's scripts. */
export function debFiles(root, given) {
  const files = contentsOf(root).filter((entry) => entry.isFile())
  const sums = files.map(({ file }) => `${md5(file)}  ${path.relative(root, file)}\n`)
  const kilobytes = Math.ceil(files.reduce((sum, { file }) => sum + lstatSync(file).size, 0) / 1024)
  const folder = path.join(root, 'DEBIAN')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'control'), control(given, kilobytes))
  writeFileSync(path.join(folder, 'md5sums'), sums.join(''))
  for (const [name, script] of [
    ['postinst', given['after-install']],
    ['postrm', given['after-remove']],
  ]) {
    copyFileSync(script, path.join(folder, name))
    chmodSync(path.join(folder, name), 0o755)
  }
}

function control(given, kilobytes) {
  const [synopsis, ...description] = given.description.split('\n').map((line) => line.trim())
  const fields = {
    Package: given.name,
    Version: given.version,
    Section: given.category ?? 'misc',
    Priority: given['deb-priority'],
    Architecture: given.architecture,
    Maintainer: given.maintainer,
    Homepage: given.url,
    'Installed-Size': kilobytes,
    Depends: given.d.join(', '),
    Recommends: given['deb-recommends'].join(', '),
    // Continuation lines start with a space.
    Description: [synopsis, ...description.filter(Boolean)].join('\n '),
  }
  const lines = Object.entries(fields).filter(([, value]) => value !== '')
  return `${lines.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`
}

const md5 = (file) => createHash('md5').update(readFileSync(file)).digest('hex')
