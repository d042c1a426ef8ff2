import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// AFTERWORD_FAULTS=full runs the fault tests with their full counts, which takes minutes.
const isFull = process.env['AFTERWORD_FAULTS'] === 'full'

/** The longest of each project, longest first: begun last, one of them would run alone in the end. */
const longest = [
  'main/built/recording',
  'renderer/pages',
  'crash/recorder-browser',
  'crash/recorder-window',
  'main/built/start',
  'main/built/system',
  'main/built/mutations',
  'shell/core-host',
  'renderer/keyboard',
  'engines/speech/speakers/diarizer',
  'main/package',
  'service/alone',
  'engines/speech/recogniser',
  'core/sync-kill',
  'service/crash',
]
const projects = ['apart', 'together']

function place({ moduleId, project }: TestSpecification): number {
  const found = longest.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
  return projects.indexOf(project.name) * (longest.length + 1) + (found === -1 ? longest.length : found)
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((left, right) => place(left) - place(right))
  }
}

/** Starts programs, is a program's beginning, or changes or measures the process it runs in: a process of its own for each. */
const apart = [
  'test/{crash,house,main,preview,shell,tools}/**/*.test.ts',
  'test/renderer/{keyboard,pages}.test.ts',
  'test/client/upload-cuts.test.ts',
  'test/service/fuzz.test.ts',
  'test/engines/language/{chat,gguf}/**/*.test.ts',
  'test/engines/speech/local/**/*.test.ts',
]
// Only the embedded service repairs its own file.
const embeddedOnly = process.env['AFTERWORD_TEST_SERVICE'] === undefined ? [] : ['test/core/recovery/**']
const never = ['test/e2e/**', 'test/bench/**', 'test/fixtures/**', 'node_modules/**', ...embeddedOnly]

export default defineConfig({
  // In plain Node, importing the real one tries to fetch its runtime.
  resolve: { alias: { electron: resolve(import.meta.dirname, 'test/support/electron/electron.ts') } },
  test: {
    projects: [
      { extends: true, test: { name: 'apart', include: apart, exclude: never } },
      {
        extends: true,
        // One process after another's modules: reading them anew for every file takes longer than most tests do.
        test: {
          name: 'together',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...never, ...apart],
          isolate: false,
          setupFiles: ['test/support/locale.ts'],
        },
      },
    ],
    environment: 'node',
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Much of a test's time is spent waiting for other processes: of two cores both have something to do.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Guards against waiting for ever on a machine that is busy with something else; nothing is asserted by them.
    testTimeout: isFull ? 3_600_000 : 180_000,
    hookTimeout: 180_000,
    allowOnly: process.env['CI'] !== 'true',
  },
})
