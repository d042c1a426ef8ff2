// Writes THIRD-PARTY-LICENSES.txt: each package the desktop app ships, with its license text.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../setup.mjs'
import { contents } from './contents.mjs'

const texts = path.join(root, 'tools', 'package', 'licenses')
const licensesFile = path.join(root, 'out', 'THIRD-PARTY-LICENSES.txt')

const isLicense = (name) => /^(licen[cs]e|copying|notice|unlicense|ofl)/i.test(name)
const authorOf = ({ author }) => (typeof author === 'string' ? author : author?.name) ?? null

function standardText(license, name) {
  try {
    return readFileSync(path.join(texts, `${license}.txt`), 'utf8').trim()
  } catch {
    throw new Error(`${name}: no license file in the package, and no text for "${license}" in tools/package/licenses`)
  }
}

/** Characters; a shorter file only names the license. */
const SHORTEST_TEXT = 300

/** The package's own license files; if they lack the text, the standard text of the declared license. */
function packageLicense(folder) {
  const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
  const title = `${manifest.name} ${manifest.version}`
  const files = readdirSync(path.join(root, folder)).filter(isLicense).toSorted()
  const own = files.map((name) => readFileSync(path.join(root, folder, name), 'utf8').trim()).join('\n\n')
  const notice = own || `Copyright (c) ${authorOf(manifest) ?? `the authors of ${manifest.name}`}`
  const body = notice.length < SHORTEST_TEXT ? `${notice}\n\n${standardText(manifest.license, title)}` : notice
  return { title, license: manifest.license ?? 'see the text', body }
}

/** Libraries compiled into a package's binaries, which its own license file does not name. */
function componentLicenses(folders) {
  const components = JSON.parse(readFileSync(path.join(texts, 'components.json'), 'utf8'))
  const isShipped = ({ inside }) => folders.some((folder) => folder.slice('node_modules/'.length).startsWith(inside))
  return components.filter(isShipped).map(({ inside, name, license, copyright }) => ({
    title: `${name} (inside ${inside.replace(/-$/, '')})`,
    license,
    body: `${copyright}\n\n${standardText(license, name)}`,
  }))
}

const interFont = () => ({
  title: 'Inter (fonts of exported documents)',
  license: 'OFL-1.1',
  body: readFileSync(path.join(root, 'resources', 'fonts', 'OFL.txt'), 'utf8').trim(),
})

const introduction = `Afterword contains the third-party software listed below.
Electron and Chromium: see LICENSE.electron.txt and LICENSES.chromium.html, which are installed with the app.
Speech and language models are not part of the app. The app shows the license of each model before it downloads it.`

function thirdPartyLicenses({ packages, bundled } = contents()) {
  /** @type {string[]} */
  const folders = [...new Set([...packages, ...bundled])]
  folders.sort()
  const all = [...folders.map(packageLicense), ...componentLicenses(folders), interFont()]
  const line = '='.repeat(80)
  const sections = all.map(({ title, license, body }) => `${line}\n${title}\nLicense: ${license}\n${line}\n\n${body}\n`)
  return `${introduction}\n\n${sections.join('\n')}`
}

export function writeLicenses() {
  writeFileSync(licensesFile, thirdPartyLicenses())
}
