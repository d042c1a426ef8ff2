import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { contentsOf } from './copy-contents.mjs'

/** Compressions as rpm names them. */
const payloads = { xzmt: 'w2T0.xzdio', xz: 'w2.xzdio', zstd: 'w19.zstdio', gzip: 'w9.gzdio' }

/** The system's own folders belong to other packages. */
const isOurs = (name) => name.startsWith('/opt/')

export function rpmSpec(root, work, given) {
  const nameOf = ({ file }) => `/${path.relative(root, file)}`
  const all = contentsOf(root)
  const folders = all.filter((entry) => entry.isDirectory() && isOurs(nameOf(entry)))
  const files = all.filter((entry) => !entry.isDirectory())
  const list = [...folders.map((entry) => `%dir "${nameOf(entry)}"`), ...files.map((entry) => `"${nameOf(entry)}"`)]
  const description = given.description.split('\n').map((line) => line.trim())
  const spec = `%define __strip /bin/true
%define __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
%define _binary_payload ${payloads[given['rpm-compression']] ?? payloads.xz}
Name: ${given.name}
Version: ${given.version}
Release: 1
Summary: ${given['rpm-summary']}
License: ${given.license ?? 'unlicensed'}
Vendor: ${given.vendor}
Packager: ${given.maintainer}
URL: ${given.url}
AutoReqProv: no
${given.d.map((name) => `Requires: ${name}`).join('\n')}

%description
${description.filter(Boolean).join('\n')}

%post -p /bin/bash
${readFileSync(given['after-install'], 'utf8')}

%postun -p /bin/bash
# An upgrade removes the older package after the newer one was set up.
if [ "$1" = 0 ]; then
${readFileSync(given['after-remove'], 'utf8')}
fi

%files
%defattr(-,root,root,-)
${list.join('\n')}
`
  const file = path.join(work, 'package.spec')
  writeFileSync(file, spec)
  return file
}
