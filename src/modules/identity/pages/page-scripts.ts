import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type KeptFile, keepFile } from '#platform/http'

const folder = join(import.meta.dirname, 'browser')

/** What runs in the browser, by file name. Read once; a name that is asked for is only ever looked up here. */
export async function loadScripts(): Promise<ReadonlyMap<string, KeptFile>> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const kept = names.map((name) => keepFile('text/javascript; charset=utf-8', readFileSync(join(folder, name), 'utf8')))
  return new Map((await Promise.all(kept)).map((file, index) => [names[index]!, file]))
}
