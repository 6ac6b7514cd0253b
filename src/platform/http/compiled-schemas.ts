/** Compiles equal schemas once per process: many routes have the same ones, and compiling is expensive. */
export function compileOnce<T>(compile: (schema: object) => T): (schema: object) => T {
  const compiled = new Map<string, T>()
  return (schema) => {
    const text = JSON.stringify(schema)
    const known = compiled.get(text)
    if (known) return known
    const result = compile(schema)
    compiled.set(text, result)
    return result
  }
}
