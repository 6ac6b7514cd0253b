export type Labels<L extends string> = Record<L, string>

const forbiddenLabel = /tenant|user|email|address|session|(^|_)ip$|(^|_)id$/i
const looksLikeId = /[0-9a-f]{8}-[0-9a-f]{4}-/i
const maxValues = 500

export function createLabelLimiter<L extends string>(names: readonly L[]) {
  const invalidName = names.find((name) => forbiddenLabel.test(name))
  if (invalidName) throw new Error(`Metrics must not have the label ${invalidName}. Use a label with few values.`)
  const seen = new Map(names.map((name) => [name, new Set<string>()]))

  function limitValue(name: L, value: string): string {
    const values = seen.get(name)!
    if (values.has(value)) return value
    if (values.size >= maxValues || looksLikeId.test(value)) return 'other'
    values.add(value)
    return value
  }

  return (labels?: Labels<L>): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, limitValue(name, labels?.[name] ?? '')]))
}
