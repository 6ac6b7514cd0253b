export type Labels<L extends string> = Record<L, string>

const personal = /tenant|user|email|address|session|(^|_)ip$|(^|_)id$/i
const looksLikeId = /[0-9a-f]{8}-[0-9a-f]{4}-/i
const maxValues = 500

/** Each label has so many values at most; what comes after is "other". */
export function boundedLabels<L extends string>(names: readonly L[]) {
  const forbidden = names.find((name) => personal.test(name))
  if (forbidden) throw new Error(`A metric is never split by ${forbidden}: choose a label with few values.`)
  const seen = new Map(names.map((name) => [name, new Set<string>()]))

  function bounded(name: L, value: string): string {
    const values = seen.get(name)!
    if (values.has(value)) return value
    if (values.size >= maxValues || looksLikeId.test(value)) return 'other'
    values.add(value)
    return value
  }

  return (given?: Labels<L>): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, bounded(name, given?.[name] ?? '')]))
}
