#!/usr/bin/env node
/** Replaces fpm, which would be downloaded, with its own Ruby, from outside the npm registry. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { copyContents } from './copy-contents.mjs'
import { debFiles } from './deb.mjs'
import { rpmSpec } from './rpm.mjs'

const text = { type: 'string' }
const texts = { type: 'string', multiple: true, default: [] }

/** An unlisted option fails the build, so that no request of electron-builder is ignored. */
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    s: { ...text, short: 's' },
    t: { ...text, short: 't' },
    force: { type: 'boolean' },
    d: { ...texts, short: 'd' },
    'deb-recommends': texts,
    'deb-compression': text,
    'deb-priority': text,
    'rpm-os': text,
    'rpm-compression': text,
    'rpm-summary': text,
    architecture: text,
    'after-install': text,
    'after-remove': text,
    description: text,
    version: text,
    package: text,
    name: text,
    maintainer: text,
    vendor: text,
    url: text,
    category: text,
    license: text,
  },
})

/** Compressions as dpkg-deb names them. */
const debCompressions = { gz: 'gzip', xz: 'xz' }

/** Processors as rpm names them; electron-builder passes Debian's names. */
const rpmArchitectures = { amd64: 'x86_64', arm64: 'aarch64' }

const work = mkdtempSync(path.join(os.tmpdir(), 'afterword-package-'))
const root = path.join(work, 'root')
const quiet = { stdio: ['ignore', 'ignore', 'inherit'] }
try {
  copyContents(positionals, root)
  if (given.t === 'deb') {
    debFiles(root, given)
    execFileSync(
      'dpkg-deb',
      ['--root-owner-group', `-Z${debCompressions[given['deb-compression']] ?? 'xz'}`, '--build', root, given.package],
      quiet,
    )
  } else if (given.t === 'rpm') {
    const spec = rpmSpec(root, work, given)
    const folders = ['--define', `_topdir ${work}/rpm`, '--define', `_rpmdir ${path.dirname(given.package)}`]
    const name = ['--define', `_rpmfilename ${path.basename(given.package)}`]
    execFileSync(
      'rpmbuild',
      [
        '-bb',
        '--quiet',
        '--buildroot',
        root,
        '--target',
        rpmArchitectures[given.architecture] ?? given.architecture,
        ...folders,
        ...name,
        spec,
      ],
      quiet,
    )
  } else throw new Error(`no such kind of package here: ${String(given.t)}`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
