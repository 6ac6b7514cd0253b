import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import type { StaticFile } from '../static-file.ts'

/** The built web application: one page for all workspaces, and the files it loads, by name. */
export type ApplicationFiles = {
  page: StaticFile
  byName: ReadonlyMap<string, StaticFile>
  revision: string
  /** Version of the product that was built. */
  version: string | null
}

const projectFolder = join(import.meta.dirname, '../../../..')

const typesByExtension: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Reads all files into memory; undefined if the application is not built, and then only the API is served. */
export async function readApplicationFiles(folder: string): Promise<ApplicationFiles | undefined> {
  const root = resolve(projectFolder, folder)
  if (!existsSync(join(root, 'index.html'))) return undefined
  const page = await readBuiltFile(join(root, 'index.html'))
  const names = (await readdir(join(root, 'assets'))).filter((name) => Object.hasOwn(typesByExtension, extname(name)))
  const files = await Promise.all(names.map(async (name) => [name, await readBuiltFile(join(root, 'assets', name))]))
  const version = await readIfBuilt(join(root, 'version.txt'))
  return {
    page,
    byName: new Map(files as [string, StaticFile][]),
    revision: createHash('sha256').update(page.body).digest('hex').slice(0, 12),
    version: version === null ? null : version.toString().trim(),
  }
}

/** Says why users do not get the web application of this version; undefined if they do. */
export function findBuildProblem(files: ApplicationFiles | undefined, version: string): string | undefined {
  if (!files) return 'the web application is not built, so only the API is served'
  if (files.version !== version) return `the web application is not of version ${version}`
  return undefined
}

/** The build writes a compressed file next to every file that becomes smaller. */
async function readBuiltFile(path: string): Promise<StaticFile> {
  const [body, compressed, brotli] = await Promise.all([
    readFile(path),
    readIfBuilt(`${path}.gz`),
    readIfBuilt(`${path}.br`),
  ])
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16)
  return { type: typesByExtension[extname(path)]!, body, compressed, brotli, hash }
}

const readIfBuilt = async (path: string): Promise<Buffer | null> => (existsSync(path) ? await readFile(path) : null)
