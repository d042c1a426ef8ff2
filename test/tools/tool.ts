import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from '#test/support/machine.ts'

/** A module of tools/, which is plain JavaScript because Node 20 has to run it before anything is installed. */
export async function loadTool<Exports>(name: string): Promise<Exports> {
  return (await import(pathToFileURL(join(repository, 'tools', name)).href)) as Exports
}
