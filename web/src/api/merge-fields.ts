export type Fields = Readonly<Record<string, unknown>>
export type FieldConflict = { field: string; mine: unknown; theirs: unknown }

/**
 * Compares a change with a newer version of the record. Fields that only the user changed are sent again; fields that
 * both changed to different values are conflicts, which the user decides.
 */
export function mergeFields(
  base: Fields,
  mine: Fields,
  theirs: Fields,
): { changes: Fields; conflicts: FieldConflict[] } {
  const changes: Record<string, unknown> = {}
  const conflicts: FieldConflict[] = []
  for (const [field, value] of Object.entries(mine)) {
    if (isEqual(value, theirs[field])) continue
    if (isEqual(theirs[field], base[field])) changes[field] = value
    else conflicts.push({ field, mine: value, theirs: theirs[field] })
  }
  return { changes, conflicts }
}

export const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
