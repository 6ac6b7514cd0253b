import { type Static, Type } from 'typebox'
import { Id, named, nullable, strict, Timestamp } from '#platform/schema'

const RecordReference = strict({
  resource_type: Type.String({ examples: ['lead'] }),
  id: Type.String({ description: 'Id of the record, or its name if it has no id.' }),
})

const CheckResult = strict({
  code: Type.String({ examples: ['lead_grade_stale'] }),
  title: Type.String(),
  severity: Type.Enum(['warning', 'error']),
  status: Type.Enum(['ok', 'found', 'skipped', 'error'], {
    description: '`skipped` if the check took more than 30 seconds, `error` if it failed.',
  }),
  count: Type.Integer({ minimum: 0 }),
  count_relation: Type.Enum(['eq', 'gte'], { description: '`gte` if there may be more.' }),
  samples: Type.Array(RecordReference, { description: 'Up to 20 of the records found.' }),
  hint: Type.String(),
  repairable: Type.Boolean(),
})

export const IntegrityReport = named(
  'IntegrityReport',
  strict({
    run_id: nullable(Id),
    state: Type.Enum(['never_run', 'running', 'finished'], {
      description: 'While a run is in progress, the checks are those of the previous run.',
    }),
    started_at: nullable(Timestamp),
    finished_at: nullable(Timestamp),
    status: nullable(Type.Enum(['ok', 'warning', 'error'])),
    checks: Type.Array(CheckResult),
  }),
)
export type IntegrityReport = Static<typeof IntegrityReport>

export const CheckParams = strict({ check: Type.String({ maxLength: 60, description: 'Code of the check.' }) })

export const RepairInput = strict({
  dry_run: Type.Boolean({ default: true, description: 'Only lists what would be repaired.' }),
})
