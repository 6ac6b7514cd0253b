import type { Money } from '#platform/money'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import type { CustomFieldRow } from '../../records/custom-values/field-definitions.queries.ts'

export type FileObjectType = Exclude<ObjectType, 'opportunity'>

/** A field of a record in a file. `utm.source`, `address.city` and `custom.tier` are keys of a JSON value. */
export type RecordColumn = string

const columnsOf = (...groups: string[]): RecordColumn[] => groups.join(' ').split(' ')

const person = 'id first_name last_name name email phone phone_e164 title linkedin_url country region city timezone'
const consent = 'email_status call_status processing_restricted'
const dates = 'created_at updated_at last_activity_at last_engaged_at mql_at sql_at opportunity_at customer_at'

const standardColumns: Record<FileObjectType, RecordColumn[]> = {
  lead: columnsOf(
    person,
    'email_kind company company_domain website industry employee_count annual_revenue source source_detail',
    'utm.source utm.medium utm.campaign utm.term utm.content status lifecycle_stage disqualify_reason owner_id owner_name',
    'score fit_score engagement_score grade',
    consent,
    'tags notes import_id',
    dates,
    'assigned_at first_responded_at sla_due_at converted_at',
  ),
  contact: columnsOf(
    person,
    'department account_id account_name account_domain source lifecycle_stage owner_id owner_name',
    consent,
    'tags notes lead_id import_id',
    dates,
    'former_customer_at',
  ),
  account: columnsOf(
    'id name domain website type industry employee_count annual_revenue phone timezone',
    'address.line1 address.line2 address.city address.region address.postal_code address.country',
    'parent_account_id owner_id owner_name tags notes created_at updated_at last_activity_at',
  ),
}

type FieldState = Pick<CustomFieldRow, 'key' | 'is_active' | 'deleted_at'>

export const listColumns = (objectType: FileObjectType, fields: readonly FieldState[]): RecordColumn[] => [
  ...standardColumns[objectType],
  ...fields.filter(({ is_active, deleted_at }) => is_active && deleted_at === null).map(({ key }) => `custom.${key}`),
]

export function readColumn(record: Readonly<Record<string, unknown>>, column: RecordColumn): unknown {
  const dot = column.indexOf('.')
  if (dot < 0) return record[column] ?? null
  const parent = record[column.slice(0, dot)] as Record<string, unknown> | null
  return parent?.[column.slice(dot + 1)] ?? null
}

/** Writes a value as a text that an import reads back unchanged. */
export function toCell(value: unknown): string | null {
  if (value === null) return null
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return toListCell(value)
  if (typeof value !== 'object') return String(value)
  const { amount, currency } = value as Money
  return `${amount} ${currency}`
}

/** Items that contain a separator make the whole list JSON. */
function toListCell(items: readonly string[]): string {
  const isPlain = items.every((item) => item === item.trim() && !item.includes(';'))
  return isPlain && !items[0]?.startsWith('[') ? items.join('; ') : JSON.stringify(items)
}
