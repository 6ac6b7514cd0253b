import { hash } from 'node:crypto'
import { glob, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'

export type SourceFile = {
  path: string
  language: string
  size: number
  lines: number
  sha256: string
  content: string
}

export type SourceCode = { revision: string; generatedAt: Date; files: ReadonlyMap<string, SourceFile> }

const folders = 'src,migrations,docs'
const languages = {
  '.ts': 'typescript',
  '.js': 'javascript',
  '.sql': 'sql',
  '.md': 'markdown',
  '.json': 'json',
  '.yaml': 'yaml',
} as const
const maxSize = 512 * 1_024
const excluded = /(^|\/)\.|\.(fixture|stand-in)\.ts$|(^|\/)package-lock\.json$/

/** Reads all files that may be shown. Afterwards a requested path is only a key of the map, never a path on disk. */
export async function loadSourceFiles(root: string, now: Date): Promise<SourceCode> {
  const paths = await Array.fromAsync(glob(`{${folders}}/**/*`, { cwd: root }))
  const candidates = paths.filter((path) => extname(path) in languages && !excluded.test(path)).sort()
  const files = new Map<string, SourceFile>()
  for (const path of candidates) {
    const file = await readSourceFile(root, path)
    if (file) files.set(path, file)
  }
  const contents = [...files.values()].map(({ path, sha256 }) => `${path} ${sha256}`).join('\n')
  return { revision: hash('sha256', contents).slice(0, 12), generatedAt: now, files }
}

async function readSourceFile(root: string, path: string): Promise<SourceFile | undefined> {
  const { size } = await stat(join(root, path))
  if (size > maxSize) return undefined
  const content = await readFile(join(root, path), 'utf8')
  return {
    path,
    language: languages[extname(path) as keyof typeof languages],
    size,
    lines: content.split('\n').length - (content.endsWith('\n') ? 1 : 0),
    sha256: hash('sha256', content),
    content,
  }
}
