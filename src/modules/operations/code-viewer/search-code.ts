import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { SourceFile } from './source-files.ts'

export type CodeMatch = { path: string; line: number; preview: string }
type SearchOptions = { query: string; fileType?: string; limit: number }

const maxMatches = 200
const maxMs = 500
const maxPreview = 240
/** Characters searched before other requests get their turn. */
const sliceSize = 500_000

/** Searches for a literal text, ignoring case. A line is one match. */
export async function searchCode(files: Iterable<SourceFile>, { query, fileType, limit }: SearchOptions) {
  const pattern = new RegExp(RegExp.escape(query), 'gi')
  const startedAt = performance.now()
  const items: CodeMatch[] = []
  let [total, truncated, searched] = [0, false, 0]
  for (const file of files) {
    if (fileType !== undefined && extname(file.path) !== `.${fileType}`) continue
    for (const match of findMatches(file, pattern, maxMatches + 1 - total)) {
      if (total === maxMatches) return { items, total, truncated: true }
      total++
      if (items.length < limit) items.push(match)
      else truncated = true
    }
    searched += file.content.length
    if (searched < sliceSize) continue
    searched = 0
    await setImmediate()
    if (performance.now() - startedAt > maxMs) return { items, total, truncated: true }
  }
  return { items, total, truncated }
}

function findMatches({ path, content }: SourceFile, pattern: RegExp, max: number): CodeMatch[] {
  const matches: CodeMatch[] = []
  let [line, counted] = [1, 0]
  pattern.lastIndex = 0
  for (let match = pattern.exec(content); match && matches.length < max; match = pattern.exec(content)) {
    for (; counted < match.index; counted++) if (content[counted] === '\n') line++
    const lineEnd = endOfLine(content, match.index)
    matches.push({ path, line, preview: previewOf(content, match.index, lineEnd) })
    pattern.lastIndex = Math.max(lineEnd, match.index + match[0].length)
  }
  return matches
}

const endOfLine = (content: string, index: number): number => {
  const end = content.indexOf('\n', index)
  return end === -1 ? content.length : end
}

function previewOf(content: string, index: number, lineEnd: number): string {
  const lineStart = content.lastIndexOf('\n', index - 1) + 1
  const start = Math.max(lineStart, Math.min(index - 80, lineEnd - maxPreview))
  return content.slice(start, Math.min(lineEnd, start + maxPreview)).trim()
}
