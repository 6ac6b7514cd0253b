export type Reference = { from: string; to: string }

/** Orders tables so that each comes after those it refers to. In a cycle `required` decides, then the names of the tables. */
export function orderByReferences(
  tables: readonly string[],
  references: readonly Reference[],
  required: readonly Reference[] = [],
): string[] {
  const isOpposed = ({ from, to }: Reference) => required.some((pair) => pair.from === to && pair.to === from)
  const others = references.filter((pair) => !isOpposed(pair)).toSorted((one, other) => (one.to < other.to ? -1 : 1))
  const targets = Map.groupBy([...required, ...others], ({ from }) => from)
  const ordered = new Set<string>()
  const visiting = new Set<string>()
  const visit = (table: string) => {
    if (ordered.has(table) || visiting.has(table)) return
    visiting.add(table)
    for (const { to } of targets.get(table) ?? []) if (tables.includes(to)) visit(to)
    ordered.add(table)
  }
  for (const table of tables.toSorted()) visit(table)
  return [...ordered]
}
