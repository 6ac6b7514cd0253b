import { RE2JS } from 're2js'

type Pattern = ReturnType<typeof RE2JS.compile>

const maxCached = 500
const cached = new Map<string, Pattern>()

/** Compiles a pattern for an engine that runs in linear time. Undefined if it is invalid, for example because of a lookahead. */
export function compilePattern(source: string): Pattern | undefined {
  const known = cached.get(source)
  if (known) return known
  try {
    const pattern = RE2JS.compile(source)
    if (cached.size >= maxCached) cached.delete(cached.keys().next().value!)
    cached.set(source, pattern)
    return pattern
  } catch {
    return undefined
  }
}

export const matchesPattern = (source: string, text: string): boolean =>
  compilePattern(source)?.matcher(text).find() ?? false
