import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const generated = [
  'src/platform/db/database.ts',
  'docs/openapi.json',
  'web/src/api/schema.gen.d.ts',
  'web/src/api/access.gen.ts',
]
const isData = (path: string) => /\.(gz|json|csv|svg)$/.test(path)

export type SourceFile = { path: string; lines: string[] }

export function readSourceFiles(patterns: string[]): SourceFile[] {
  return globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !generated.includes(path) && !isData(path))
    .sort()
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }))
}

export const isProductCode = ({ path }: SourceFile): boolean =>
  /^(web\/)?src\//.test(path) &&
  /\.tsx?$/.test(path) &&
  !path.startsWith('src/testing/') &&
  !/\.(test|fixture|stand-in)\.ts$/.test(path)

/** Finds whole-line comments; a trailing comment belongs to its line of code. */
export function commentLines({ lines }: SourceFile): { line: number; text: string; isFirst: boolean }[] {
  let isInBlock = false
  return lines.flatMap((text, index) => {
    const isLine = /^\s*\/\//.test(text)
    const opens = /^\s*\/\*/.test(text)
    const isComment = isInBlock || isLine || opens
    const wasInBlock = isInBlock
    if (opens) isInBlock = true
    if (isInBlock && text.includes('*/')) isInBlock = false
    const follows = isLine && /^\s*\/\//.test(lines[index - 1] ?? '')
    return isComment ? [{ line: index + 1, text, isFirst: !wasInBlock && !follows }] : []
  })
}
