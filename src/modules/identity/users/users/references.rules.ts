type Names = ReadonlyMap<string, string>
type NamedRecord = { id: string; name: string }

/** Returns null if the id has no name, which means that the record is deleted. */
export function toReferenceOrNull(names: Names, id: string | null): NamedRecord | null {
  const name = id === null ? undefined : names.get(id)
  return id === null || name === undefined ? null : { id, name }
}

/** Keeps the id of an unknown user, with an empty name. */
export const toUserReference = (names: Names, id: string | null): NamedRecord | null =>
  id === null ? null : { id, name: names.get(id) ?? '' }
