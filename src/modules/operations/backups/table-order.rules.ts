/** Orders tables so that each comes after the tables it refers to. References in a cycle are ignored. */
export function orderByReferences(
  tables: readonly string[],
  references: readonly { from: string; to: string }[],
): string[] {
  const targets = Map.groupBy(references, ({ from }) => from)
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
