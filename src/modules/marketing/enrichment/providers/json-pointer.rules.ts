/** Returns the value at a JSON pointer (RFC 6901), or undefined. */
export function readPointer(document: unknown, pointer: string): unknown {
  const tokens = pointer.split('/').slice(1)
  return tokens.reduce<unknown>((value, token) => {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    return (value as Record<string, unknown>)[key]
  }, document)
}
