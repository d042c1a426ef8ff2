import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { bundleContents } from './tools/package/bundle-contents.mjs'

/** The API documentation of the practice server. The desktop package leaves it out. */
const docsBundle = {
  name: 'docs-bundle',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): unknown }): void {
    const file = resolve(import.meta.dirname, 'node_modules/redoc/bundles/redoc.standalone.js')
    this.emitFile({ type: 'asset', fileName: 'redoc.standalone.js', source: readFileSync(file) })
  },
}

/** react-aria has its own words in over 30 languages. The window has catalogues in English and Spanish. */
const catalogLanguages = {
  name: 'catalog-languages',
  enforce: 'pre' as const,
  load: (id: string) =>
    /\/react-(aria|stately)\/.*\/intl\/.*\/(?!en-US|es-ES)\w+-\w+\.mjs$/.test(id.replaceAll('\\', '/'))
      ? 'export default {}'
      : null,
}

const source = (path: string) => resolve(import.meta.dirname, 'src', path)

export default defineConfig({
  main: {
    plugins: [bundleContents(), docsBundle],
    build: {
      externalizeDeps: true,
      rolldownOptions: {
        input: {
          index: source('main/index.ts'),
          preview: source('preview/index.ts'),
          'preview-core': source('preview/preview-core.ts'),
          service: source('service/operate/bin.ts'),
          // Thread entries: src/shell/thread-file.ts finds them beside the file that starts them.
          'core-thread': source('shell/core-thread.ts'),
          'append-thread': source('shell/append-thread.ts'),
          // Processes of their own: src/engines/engine-host.ts finds them beside the file that starts them.
          'speech-engine': source('engines/speech/local/speech-engine.ts'),
          'llama-engine': source('engines/language/gguf/llama-engine.ts'),
          'text-engine': source('engines/texts/text-engine.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    plugins: [bundleContents()],
    build: {
      // A sandboxed preload may require `electron` and nothing else.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: source('preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: source('renderer'),
    plugins: [react(), catalogLanguages, bundleContents()],
    worker: { format: 'es', plugins: () => [bundleContents('contents-of-workers.json')] },
    build: {
      minify: true,
      // Fonts and icons as files: the content security policy allows no data: fonts.
      assetsInlineLimit: 0,
      // Kilobytes. The page is read from this computer's disk, so its chunks may be large.
      chunkSizeWarningLimit: 3000,
      rolldownOptions: { input: { index: source('renderer/index.html') } },
    },
  },
})
