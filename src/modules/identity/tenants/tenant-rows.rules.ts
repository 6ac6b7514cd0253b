/** A table that holds rows of tenants, as `schema.table`. */
export type TableName = string

/** A foreign key. The columns are those that name the other row within the tenant. */
export type Reference = {
  from: TableName
  to: TableName
  columns: string[]
  /** All of them may be null. */
  is_clearable: boolean
  /** The database removes or clears the reference itself when the row it names goes. */
  is_released: boolean
}

/** First what refers to others, then what was referred to; where rows refer in a circle, a reference is cleared beforehand. */
export type DeletionPlan = { clear: Reference[]; order: TableName[] }

export function planDeletion(tables: TableName[], references: Reference[]): DeletionPlan {
  let left = new Set(tables)
  const known = references.filter(({ from, to }) => left.has(from) && left.has(to))
  const clear = known.filter(({ from, to, is_released }) => from === to && !is_released)
  for (const reference of clear) assertClearable(reference)

  let open = known.filter(({ from, to }) => from !== to)
  const order: TableName[] = []
  while (left.size) {
    const referredTo = new Set(open.map(({ to }) => to))
    const free = [...left].filter((table) => !referredTo.has(table))
    if (free.length) {
      order.push(...free)
      left = new Set([...left].filter((table) => referredTo.has(table)))
      open = open.filter(({ from }) => left.has(from))
      continue
    }
    const weakest = weakestOf(circleIn(open))
    if (!weakest.is_released) clear.push(weakest)
    open = open.filter((reference) => reference !== weakest)
  }
  return { clear, order }
}

/** When every table is still referred to, going from one to whoever refers to it leads back to where one has been. */
function circleIn(open: Reference[]): Reference[] {
  const path: Reference[] = []
  for (let step = open[0]!; ; step = open.find(({ to }) => to === step.from)!) {
    const start = path.findIndex(({ from }) => from === step.from)
    if (start !== -1) return [...path.slice(start + 1), step]
    path.push(step)
  }
}

function weakestOf(circle: Reference[]): Reference {
  const weakest = circle.find(({ is_released }) => is_released) ?? circle.find(({ is_clearable }) => is_clearable)
  return weakest ?? assertClearable(circle[0]!)
}

function assertClearable(reference: Reference): Reference {
  if (!reference.is_clearable)
    throw new Error(`${reference.from} refers to ${reference.to} in a circle that cannot be opened.`)
  return reference
}
