/**
 * Signs every update feed (`latest*.yml`) of a folder: `node tools/sign-feed.mjs dist`. AFTERWORD_RELEASE_KEY holds the
 * private Ed25519 key, PEM. The signature covers the name, so do not rename a feed. Run again after each change of a
 * feed, e.g. of its staged percentage.
 */
import { createPrivateKey, sign } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2]
const pem = process.env['AFTERWORD_RELEASE_KEY']
const feeds = folder === undefined ? [] : readdirSync(folder).filter((name) => /^latest.*\.yml$/.test(name))

if (pem === undefined || feeds.length === 0) {
  process.stderr.write('Usage: AFTERWORD_RELEASE_KEY=<PEM> node tools/sign-feed.mjs <folder with latest*.yml>\n')
  process.exitCode = 1
} else {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The release key has to be an Ed25519 key.')
  for (const name of feeds) {
    const feed = join(folder, name)
    writeFileSync(
      `${feed}.sig`,
      sign(null, Buffer.concat([Buffer.from(`${name}\n`), readFileSync(feed)]), key).toString('base64'),
    )
    process.stdout.write(`Signed ${name}\n`)
  }
}
