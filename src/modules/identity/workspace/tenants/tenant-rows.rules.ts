export type TableName = string

/** Foreign key between tenant tables; `columns` excludes tenant_id. */
export type ForeignKey = {
  from: TableName
  to: TableName
  columns: string[]
  is_nullable: boolean
  has_delete_action: boolean
}

/** Referencing tables come before referenced ones; foreign keys that form a cycle are cleared first. */
export type DeletionPlan = { clear: ForeignKey[]; order: TableName[] }

export function planDeletion(tables: TableName[], foreignKeys: ForeignKey[]): DeletionPlan {
  let remaining = new Set(tables)
  const known = foreignKeys.filter(({ from, to }) => remaining.has(from) && remaining.has(to))
  const clear = known.filter(({ from, to, has_delete_action }) => from === to && !has_delete_action)
  for (const foreignKey of clear) assertNullable(foreignKey)

  let openKeys = known.filter(({ from, to }) => from !== to)
  const order: TableName[] = []
  while (remaining.size) {
    const referenced = new Set(openKeys.map(({ to }) => to))
    const free = [...remaining].filter((table) => !referenced.has(table))
    if (free.length) {
      order.push(...free)
      remaining = new Set([...remaining].filter((table) => referenced.has(table)))
      openKeys = openKeys.filter(({ from }) => remaining.has(from))
      continue
    }
    const keyToBreak = pickKeyToBreak(findCycle(openKeys))
    if (!keyToBreak.has_delete_action) clear.push(keyToBreak)
    openKeys = openKeys.filter((foreignKey) => foreignKey !== keyToBreak)
  }
  return { clear, order }
}

/** Follows foreign keys backwards until a table repeats; call only if every remaining table is referenced. */
function findCycle(openKeys: ForeignKey[]): ForeignKey[] {
  const path: ForeignKey[] = []
  for (let step = openKeys[0]!; ; step = openKeys.find(({ to }) => to === step.from)!) {
    const start = path.findIndex(({ from }) => from === step.from)
    if (start !== -1) return [...path.slice(start + 1), step]
    path.push(step)
  }
}

function pickKeyToBreak(cycle: ForeignKey[]): ForeignKey {
  const keyToBreak =
    cycle.find(({ has_delete_action }) => has_delete_action) ?? cycle.find(({ is_nullable }) => is_nullable)
  return keyToBreak ?? assertNullable(cycle[0]!)
}

function assertNullable(foreignKey: ForeignKey): ForeignKey {
  if (!foreignKey.is_nullable)
    throw new Error(`${foreignKey.from} references ${foreignKey.to} in a cycle of required foreign keys.`)
  return foreignKey
}
