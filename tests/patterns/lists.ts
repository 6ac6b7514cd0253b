import { checkPattern } from './check-pattern.ts'
import { measuredPatterns } from './measured-patterns.ts'
import proven from './proven-patterns.json' with { type: 'json' }
import type { Pattern } from './source-patterns.ts'

export type PatternLists = {
  linear: Pattern[]
  measured: (Pattern & { maxLength: number })[]
  notAllowed: string[]
  unknown: string[]
}

/** Puts each pattern in a list. New ones are checked, which takes up to a few seconds each. */
export async function sortPatterns(patterns: readonly Pattern[]): Promise<PatternLists> {
  const lists: PatternLists = { linear: [], measured: [], notAllowed: [], unknown: [] }
  const provenKeys = new Set(proven)
  for (const pattern of patterns) {
    const { key, where } = pattern
    const maxLength = measuredPatterns[key]
    if (provenKeys.has(key)) lists.linear.push(pattern)
    else if (maxLength !== undefined) lists.measured.push({ ...pattern, maxLength })
    else {
      const verdict = await checkPattern(pattern)
      if (verdict.status === 'linear') lists.linear.push(pattern)
      else lists[verdict.status === 'unknown' ? 'unknown' : 'notAllowed'].push(`${where} ${key}: ${verdict.reason}`)
    }
  }
  return lists
}
