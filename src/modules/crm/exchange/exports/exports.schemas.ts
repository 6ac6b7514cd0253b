import { type Static, type TProperties, Type } from 'typebox'
import { RuleDocument } from '#platform/rules'
import { AcceptedTask, Id, named, nullable, strict, Timestamp, withExample } from '#platform/schema'

import { accountFilters } from '../../people/accounts/accounts.schemas.ts'
import { contactFilters } from '../../people/contacts/contacts.schemas.ts'
import { leadFilters } from '../../people/lead-records/leads.schemas.ts'
import type { FileObjectType } from '../record-columns/record-columns.rules.ts'

const Format = Type.Enum(['csv', 'jsonl'], {
  description: '`csv`: comma-separated with a header; `jsonl`: one JSON object per line.',
})
const Column = Type.String({ minLength: 1, maxLength: 60 })

const filtersOf = { lead: leadFilters, contact: contactFilters, account: accountFilters }

export const newExportOf = (objectType: FileObjectType) =>
  withExample(
    strict({
      filter: Type.Optional(RuleDocument),
      query: Type.Optional(
        Type.Object(filtersOf[objectType] as TProperties, {
          additionalProperties: false,
          description: `Filters of the list of ${objectType}s, such as \`{ "tag": "vip" }\`. The ${objectType}s must also match \`filter\`.`,
        }),
      ),
      columns: Type.Optional(
        Type.Array(Column, {
          minItems: 1,
          maxItems: 200,
          uniqueItems: true,
          description:
            'Fields in the order of the columns, such as `email`, `utm.source` and `custom.tier`. Default: all fields.',
        }),
      ),
      format: Type.Optional({ ...Format, default: 'csv' }),
    }),
    { filter: { field: 'country', op: 'eq', value: 'DE' }, columns: ['name', 'email', 'custom.tier'], format: 'csv' },
  )
export type NewExport = Static<ReturnType<typeof newExportOf>>

export const StartedExport = strict({ ...AcceptedTask.properties, export_id: Id })
export type StartedExport = Static<typeof StartedExport>

export const RecordExport = named(
  'RecordExport',
  strict({
    id: Id,
    object_type: Type.Enum(['lead', 'contact', 'account'], { description: 'Kind of the exported records.' }),
    state: Type.Enum(['running', 'completed', 'failed', 'expired'], {
      description: 'State of the export. The file of a `completed` one can be downloaded until `expires_at`.',
    }),
    format: Format,
    columns: Type.Array(Column, { description: 'Fields in the order of the columns.' }),
    row_count: nullable(Type.Integer({ description: 'Number of records in the file; null until it is completed.' })),
    download_url: nullable(
      Type.String({
        description:
          'Path of the file, for sessions with a ticket that is valid for an hour; null if it cannot be downloaded.',
      }),
    ),
    task_id: { ...Id, description: 'Task that writes the file.' },
    created_by: nullable(Id),
    created_at: Timestamp,
    expires_at: { ...Timestamp, description: 'Time when the file is deleted.' },
  }),
)
export type RecordExport = Static<typeof RecordExport>

export const ExportParams = strict({ export_id: Id })
export const ExportFileQuery = strict({
  ticket: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'From `download_url`; replaces the `Authorization` header.' }),
  ),
})
