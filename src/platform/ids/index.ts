import { v4, v7 } from 'uuid'

/** UUID version 7: sorts by creation time, which keeps inserts and `order by id` cheap. */
export const newId = (): string => v7()

/** For records of another time than now, such as sample data. */
export const newIdAt = (instant: Date): string => v7({ msecs: instant.getTime() })

/** UUID version 4, for records whose time of creation must stay unknown. */
export const newRandomId = (): string => v4()

/** The smallest id of an instant: a bound for time ranges on an id column. Before 1970 it is the smallest of all. */
export function minIdAt(instant: Date): string {
  const hex = Math.max(0, instant.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

export const createdAtOf = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

/** Sorts before every other id. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'
