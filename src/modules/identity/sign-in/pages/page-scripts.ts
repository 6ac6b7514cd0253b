import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStaticFile, type StaticFile } from '#platform/http'

const folder = join(import.meta.dirname, 'browser')

/** Loads the browser scripts by file name. Requested names are only looked up in this map, never on disk. */
export async function loadScripts(): Promise<ReadonlyMap<string, StaticFile>> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const files = names.map((name) =>
    createStaticFile('text/javascript; charset=utf-8', readFileSync(join(folder, name), 'utf8')),
  )
  return new Map((await Promise.all(files)).map((file, index) => [names[index]!, file]))
}
