import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { Outcome } from '#platform/errors'
import type { CustomFieldRow } from '../../records/custom-values/field-definitions.queries.ts'
import type { ImportOptions } from '../import-mapping/import.schemas.ts'
import { listRecordVersions } from '../import-mapping/match-records.queries.ts'
import type { RowParser } from '../import-mapping/parse-row.rules.ts'
import { applyStatedConsent, type StatedConsent } from './import-consent.service.ts'
import { type ImportedRecord, type ImportKind, type ImportServices, toRecordValues } from './import-kinds.ts'
import type { RowResult } from './import-rows.queries.ts'
import type { ImportRecord } from './imports.queries.ts'
import { toResult } from './imports.rules.ts'
import { defaultReason, mergeRows, type RowGroup, toCreatedValues, valuesOfRows } from './row-groups.rules.ts'

export type Batch = {
  row: ImportRecord
  options: ImportOptions
  parser: RowParser
  kind: ImportKind
  actor: UserActor
  services: ImportServices
  customFields: readonly CustomFieldRow[]
}

/** `rejected` are groups of several rows that cannot be written together; nothing of them was written. */
export type GroupResults = { results: RowResult[]; rejected: RowGroup[] }

type Written = { group: RowGroup; outcome: Outcome<ImportedRecord>; before: object | null }

export async function createRecords(tx: TenantTx, batch: Batch, groups: readonly RowGroup[]): Promise<GroupResults> {
  const { kind, parser, options, row, actor, services } = batch
  const rows = groups.map((group) => toCreatedValues(group, parser.defaults, options))
  const outcomes = await kind.create(tx, rows, { actor, importId: row.id, options, services })
  const written = groups.map((group, index) => ({ group, outcome: outcomes[index]!, before: null }))
  return await toResults(tx, batch, written, 'created')
}

export type MatchedGroup = { group: RowGroup; id: string }

/** Leaves out rows whose record has changed its key or was deleted since it was found; the next batch matches them again. */
export async function updateRecords(
  tx: TenantTx,
  batch: Batch,
  matched: readonly MatchedGroup[],
): Promise<GroupResults> {
  const { kind, options, row, actor, services } = batch
  const by = { actor, importId: row.id, options, services }
  const locked = await kind.lock(
    tx,
    matched.flatMap(({ id, group }) => valuesOfRows(group, options).map((values) => ({ id, values }))),
    by,
  )
  let next = 0
  const plans = matched.flatMap(({ id, group }) => {
    const values = locked.values.slice(next, next + group.rows.length)
    next += group.rows.length
    const record = locked.records.get(id)
    if (!record || (options.match_by === 'email' && record.email_key !== group.key!.key)) return []
    const former = toRecordValues(record)
    return [{ group, record, former, ...mergeRows(former, group, values, options) }]
  })
  const changed = plans.filter(({ after }) => Object.keys(after).length > 0)
  const outcomes = await kind.update(
    tx,
    changed.map(({ record, former, after }) => ({ id: record.id, values: after, record: former })),
    by,
  )
  const outcomeById = new Map(changed.map(({ record }, index) => [record.id, outcomes[index]!]))
  const written = plans.map(({ group, record, before }): Written => {
    const outcome = outcomeById.get(record.id)
    return { group, outcome: outcome ?? { value: record }, before: outcome ? before : null }
  })
  return await toResults(tx, batch, written, 'updated')
}

async function toResults(
  tx: TenantTx,
  batch: Batch,
  written: readonly Written[],
  firstOutcome: 'created' | 'updated',
): Promise<GroupResults> {
  const { parser, row, options, services, kind } = batch
  const stated = written.flatMap((item) => statedConsentsOf(item, batch, firstOutcome))
  const context = { objectType: kind.objectType, importId: row.id, options, services }
  const consentWarnings = await applyStatedConsent(tx, stated, context)
  const ids = written.flatMap(({ outcome }) => ('value' in outcome ? [outcome.value.id] : []))
  const versions = await listRecordVersions(tx, kind.objectType, ids)
  const hidesId = row.state === 'checking' && firstOutcome === 'created'
  const results: RowResult[] = []
  const rejected: RowGroup[] = []
  for (const { group, outcome, before } of written) {
    const [first] = group.rows
    if ('error' in outcome) {
      if (group.rows.length > 1) rejected.push(group)
      else results.push(toResult(first.row_no, 'failed', { errors: parser.toMessages(outcome.error) }))
      continue
    }
    const { id } = outcome.value
    const reasonWarning = firstOutcome === 'created' && hasDefaultReason(outcome.value, group, batch)
    for (const { row_no, parsed } of group.rows) {
      const consentWarning = consentWarnings.get(row_no)
      const warnings = [
        ...parsed.warnings,
        ...(consentWarning ? [consentWarning] : []),
        ...(reasonWarning && row_no === first.row_no ? [missingReason] : []),
      ]
      const isSkipped = row_no !== first.row_no && options.on_match === 'skip'
      results.push(
        toResult(row_no, row_no === first.row_no ? firstOutcome : isSkipped ? 'skipped' : 'updated', {
          record_id: hidesId ? null : id,
          record_version: isSkipped ? null : (versions.get(id) ?? null),
          before: row_no === first.row_no ? before : null,
          warnings: warnings.length && !isSkipped ? warnings : null,
        }),
      )
    }
  }
  return { results, rejected }
}

const missingReason = {
  column: null,
  field: 'disqualify_reason',
  code: 'default_reason',
  message: `The row has no \`disqualify_reason\`, which became \`${defaultReason}\`.`,
}

const hasDefaultReason = (record: ImportedRecord, { rows }: RowGroup, { parser }: Batch): boolean =>
  'disqualify_reason' in record &&
  record.disqualify_reason === defaultReason &&
  !parser.defaults.disqualify_reason &&
  rows.every(({ parsed }) => !parsed.values.disqualify_reason)

/** Defaults are for new records: they do not change the consent of others. */
function statedConsentsOf(
  { group, outcome }: Written,
  { parser, options, row }: Batch,
  firstOutcome: 'created' | 'updated',
): StatedConsent[] {
  if ('error' in outcome) return []
  const column = row.mapping?.find(({ field }) => field === 'email_status')?.column ?? null
  const rows = firstOutcome === 'created' && options.on_match === 'skip' ? group.rows.slice(0, 1) : group.rows
  return rows.flatMap(({ row_no, parsed }): StatedConsent[] => {
    const isNew = firstOutcome === 'created' && row_no === group.rows[0].row_no
    const status = parsed.values.email_status ?? (isNew ? parser.defaults.email_status : undefined)
    return status ? [{ row_no, record: outcome.value, stated: status as string, column }] : []
  })
}
