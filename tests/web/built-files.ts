import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

type Chunk = {
  name?: string
  file: string
  src?: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}

const folder = join(import.meta.dirname, '../../web/dist')

export const readManifest = (): Record<string, Chunk> =>
  JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))

export const compressedSize = (file: string): number =>
  statSync(join(folder, `${file}.gz`), { throwIfNoEntry: false })?.size ?? statSync(join(folder, file)).size

/** The files that a chunk needs, with those of its static imports. */
export function filesOf(manifest: Record<string, Chunk>, key: string, seen = new Set<string>()): string[] {
  if (seen.has(key)) return []
  seen.add(key)
  const { file, css = [], imports = [] } = manifest[key]!
  return [file, ...css, ...imports.flatMap((name) => filesOf(manifest, name, seen))]
}

export const sumSizes = (files: Iterable<string>, extension: string): number =>
  [...new Set(files)].filter((file) => file.endsWith(extension)).reduce((sum, file) => sum + compressedSize(file), 0)
