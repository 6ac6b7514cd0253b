import { check } from 'recheck'
import type { Pattern } from './source-patterns.ts'

export type Verdict = { status: 'linear' } | { status: 'not allowed' | 'unknown'; reason: string }

/** Proves by an automaton that the time of a match grows with the length of the text only. Guesses of the checker do not count. */
export async function checkPattern({ source, flags }: Pattern, timeoutMs = 20_000): Promise<Verdict> {
  const result = await check(source, flags, { checker: 'automaton', timeout: timeoutMs })
  if (result.status === 'safe') return { status: 'linear' }
  if (result.status === 'unknown') return { status: 'unknown', reason: result.error.kind }
  return { status: 'not allowed', reason: `${result.complexity.summary}, for example ${result.attack.pattern}` }
}
