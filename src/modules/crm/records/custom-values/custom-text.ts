import { toSearchText } from '#platform/db'
import type { CustomFieldType, CustomValues } from './custom-values.schemas.ts'
import type { CustomFieldRow } from './field-definitions.queries.ts'

export const searchableTypes: readonly CustomFieldType[] = ['text', 'long_text', 'url', 'email', 'phone']

const maxLength = 2_000

export const isSearchable = ({ is_searchable, is_active, deleted_at }: CustomFieldRow): boolean =>
  is_searchable && is_active && deleted_at === null

export function toCustomText(fields: readonly CustomFieldRow[], custom: CustomValues): string {
  const values = fields.filter(isSearchable).map(({ key }) => custom[key] as string | null | undefined)
  return toSearchText(...values)
    .slice(0, maxLength)
    .toWellFormed()
    .trim()
}
