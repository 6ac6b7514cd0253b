import { v7 } from 'uuid'

/** Ids sort by the time they were made, which keeps inserts and `order by id` cheap. */
export const newId = (): string => v7()

/** The smallest id that could have been made at this instant: a bound for "since" and "before" on an id column. */
export function idAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** When an id was made. */
export const madeAt = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
