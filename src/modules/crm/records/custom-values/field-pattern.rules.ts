import { RE2JS } from 're2js'
import { measurePattern } from './pattern-size.rules.ts'

type Pattern = ReturnType<typeof RE2JS.compile>

const maxSize = 1_000
const maxRepetition = 50
/** A step is an instruction of a pattern for a character of a text. */
const maxSteps = 255_000
export const maxPatternSteps = 2 * maxSteps
const maxCached = 500
const cached = new Map<string, Pattern>()

/**
 * Compiles a pattern for an engine whose time grows with the size of the pattern times the length of the text.
 * Undefined if it is too large or invalid, for example because of a lookahead.
 */
export function compilePattern(source: string): Pattern | undefined {
  const known = cached.get(source)
  if (known) return known
  const { size, repetition } = measurePattern(source)
  if (repetition > maxRepetition || size > 2 * maxSize) return undefined
  const pattern = compileMeasured(source)
  if (!pattern || pattern.programSize() > maxSize) return undefined
  if (cached.size >= maxCached) cached.delete(cached.keys().next().value!)
  cached.set(source, pattern)
  return pattern
}

function compileMeasured(source: string): Pattern | undefined {
  try {
    return RE2JS.compile(source)
  } catch {
    return undefined
  }
}

export function findPatternProblem(source: string): string | undefined {
  if (measurePattern(source).repetition > maxRepetition)
    return `must not repeat a part more than ${maxRepetition} times`
  return compilePattern(source)
    ? undefined
    : 'must be a short regular expression without lookaround, backreferences and \\Q'
}

/** Zero for a stored pattern that is not accepted any more. */
export function maxLengthOfPattern(source: string): number {
  const pattern = compilePattern(source)
  return pattern ? Math.floor(maxSteps / pattern.programSize()) : 0
}

export function countPatternSteps(source: string | undefined, value: unknown): number {
  const pattern = source === undefined || typeof value !== 'string' ? undefined : compilePattern(source)
  return pattern ? pattern.programSize() * (value as string).length : 0
}

export const matchesPattern = (source: string, text: string): boolean => compilePattern(source)?.test(text) ?? false
