import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { Outcome } from '#platform/errors'
import type { CustomFieldRow } from '../custom-values/field-definitions.queries.ts'
import type { ImportOptions } from '../import-mapping/import.schemas.ts'
import { listRecordVersions } from '../import-mapping/match-records.queries.ts'
import type { MatchKey } from '../import-mapping/match-rows.rules.ts'
import { mergeValues, toNewValues } from '../import-mapping/merge-values.rules.ts'
import type { ParsedRow, RowParser } from '../import-mapping/parse-row.rules.ts'
import { applyStatedConsent, type StatedConsent } from './import-consent.service.ts'
import { type ImportedRecord, type ImportKind, type ImportServices, toRecordValues } from './import-kinds.ts'
import { type RowResult, saveRecordVersions } from './import-rows.queries.ts'
import type { ImportRecord } from './imports.queries.ts'
import { toResult } from './imports.rules.ts'

export type Batch = {
  row: ImportRecord
  options: ImportOptions
  parser: RowParser
  kind: ImportKind
  actor: UserActor
  services: ImportServices
  customFields: readonly CustomFieldRow[]
}

export type Candidate = { row_no: number; parsed: ParsedRow; key: MatchKey | null; subjects: readonly string[] }

type Written = { candidate: Candidate; outcome: Outcome<ImportedRecord>; before: object | null }

export async function createRecords(
  tx: TenantTx,
  batch: Batch,
  candidates: readonly Candidate[],
): Promise<RowResult[]> {
  const { kind, parser, options, row, actor, services } = batch
  const rows = candidates.map(({ parsed }) => toNewValues(parsed, parser.defaults, options))
  const outcomes = await kind.create(tx, rows, { actor, importId: row.id, options, services })
  const written = candidates.map((candidate, index) => ({ candidate, outcome: outcomes[index]!, before: null }))
  return await toResults(tx, batch, written, 'created')
}

type MatchedCandidate = Candidate & { id: string }

/** Leaves out rows whose record has changed its key or was deleted since it was found; the next batch matches them again. */
export async function updateRecords(
  tx: TenantTx,
  batch: Batch,
  candidates: readonly MatchedCandidate[],
): Promise<RowResult[]> {
  const { kind, options, row, actor, services } = batch
  const by = { actor, importId: row.id, options, services }
  const locked = await kind.lock(
    tx,
    candidates.map(({ id, parsed: { values } }) => ({ id, values })),
    by,
  )
  const plans = candidates.flatMap((candidate, index) => {
    const record = locked.records.get(candidate.id)
    if (!record || (options.match_by === 'email' && record.email_key !== candidate.key!.key)) return []
    const values = toRecordValues(record)
    const merged = mergeValues(values, { ...candidate.parsed, values: { ...locked.values[index] } }, options)
    return [{ candidate, record, values, ...merged }]
  })
  const changed = plans.filter(({ after }) => Object.keys(after).length > 0)
  const outcomes = await kind.update(
    tx,
    changed.map(({ record, values, after }) => ({ id: record.id, values: after, record: values })),
    by,
  )
  const outcomeById = new Map(changed.map(({ record }, index) => [record.id, outcomes[index]!]))
  const written = plans.map(({ candidate, record, before }): Written => {
    const outcome = outcomeById.get(record.id)
    return { candidate, outcome: outcome ?? { value: record }, before: outcome ? before : null }
  })
  return await toResults(tx, batch, written, 'updated')
}

async function toResults(
  tx: TenantTx,
  batch: Batch,
  written: readonly Written[],
  outcomeOfSuccess: 'created' | 'updated',
): Promise<RowResult[]> {
  const { parser, row, options, services, kind } = batch
  const column = row.mapping?.find(({ field }) => field === 'email_status')?.column ?? null
  const stated = written.flatMap(({ candidate, outcome }): StatedConsent[] => {
    const status = candidate.parsed.values.email_status ?? parser.defaults.email_status
    return 'value' in outcome && status ? [{ record: outcome.value, stated: status as string, column }] : []
  })
  const context = { objectType: kind.objectType, importId: row.id, options, services }
  const warnings = await applyStatedConsent(tx, stated, context)
  const ids = written.flatMap(({ outcome }) => ('value' in outcome ? [outcome.value.id] : []))
  const versions = await listRecordVersions(tx, kind.objectType, ids)
  if (outcomeOfSuccess === 'updated') await saveRecordVersions(tx, row.id, versions)
  return written.map(({ candidate: { row_no }, outcome, before }) => {
    if ('error' in outcome) return toResult(row_no, 'failed', { errors: parser.toMessages(outcome.error) })
    const { id } = outcome.value
    const warning = warnings.get(id)
    return toResult(row_no, outcomeOfSuccess, {
      record_id: row.state === 'checking' && outcomeOfSuccess === 'created' ? null : id,
      record_version: versions.get(id) ?? null,
      before,
      warnings: warning ? [warning] : null,
    })
  })
}
