/** Records each built file's imports and bundled packages, so that packaging ships and licenses only those. */
export function bundleContents(fileName = 'contents.json') {
  return {
    name: 'bundle-contents',
    generateBundle(_options, bundle) {
      const chunks = {}
      /** @type {Set<string>} */
      const bundled = new Set()
      for (const file of Object.values(bundle)) {
        for (const id of file.type === 'chunk' ? file.moduleIds : file.originalFileNames) addPackageOf(id, bundled)
        if (file.type !== 'chunk') continue
        chunks[file.fileName] = { imports: file.imports, dynamicImports: file.dynamicImports }
      }
      const source = JSON.stringify({ chunks, bundled: [...bundled].toSorted() }, null, 1)
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

/** The innermost package folder, relative to the project: a nested copy is another version. */
function addPackageOf(id, packages) {
  const folder =
    /^.*?((?:node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)(?:[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)*)[\\/]/.exec(id)
  if (folder) packages.add(folder[1].replaceAll('\\', '/'))
}
