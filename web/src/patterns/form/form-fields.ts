import { type Fields, isEqual } from '../../api/merge-fields.ts'

const filterFields = (fields: Fields, isKept: (field: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => isKept(field)))

export const changedFields = (before: Fields, after: Fields): Fields =>
  filterFields(after, (field) => !isEqual(after[field], before[field]))

export const pickFields = (fields: Fields, names: readonly string[]): Fields =>
  filterFields(fields, (field) => names.includes(field))

export const withoutFields = (fields: Fields, names: readonly string[]): Fields =>
  filterFields(fields, (field) => !names.includes(field))

/** Whether the saved record differs from what the user saw in fields that the user has not changed. */
export const hasOtherChanges = (seen: Fields, changes: Fields, saved: Fields): boolean =>
  Object.keys(seen).some((field) => !(field in changes) && !isEqual(seen[field], saved[field]))
