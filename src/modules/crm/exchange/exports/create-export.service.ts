import { toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { invalidInput, rateLimited } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { startTask } from '#platform/tasks'
import { parseRecordRule } from '../../lookup/record-rules/parse-record-rule.service.ts'
import { listFieldsOf } from '../../records/custom-values/field-definitions.queries.ts'
import { type FileObjectType, listColumns } from '../record-columns/record-columns.rules.ts'
import { exportTask } from './export-task.ts'
import { insertExport, listExportTimes, lockExportsOfUser } from './exports.queries.ts'
import type { NewExport, StartedExport } from './exports.schemas.ts'
import { parseListQuery } from './list-query.service.ts'

export const exportDays = 1
const maxPerDay = 10
const maxColumns = 200

export async function createExport(
  tx: TenantTx,
  actor: UserActor,
  objectType: FileObjectType,
  { filter, query, columns, format = 'csv' }: NewExport,
  { clock, registry }: Pick<Services, 'clock' | 'registry'>,
): Promise<StartedExport> {
  if (filter) await parseRecordRule(tx, objectType, filter, { registry }, { at: { in: 'body', path: '/filter' } })
  if (query) await parseListQuery(tx, actor, objectType, query, { clock, registry })
  const known = listColumns(objectType, await listFieldsOf(tx, objectType))
  assertKnownColumns(columns ?? [], known)
  const now = clock.now()
  await assertUnderDailyLimit(tx, actor.userId, now)

  const id = newId()
  const label = `${objectType}s.${format}`
  const task = await startTask(
    tx,
    exportTask,
    { export_id: id, by: toTaskRequester(actor) },
    { title: `Export ${objectType}s`, resource: { type: 'export', id } },
  )
  const details = { object_type: objectType, format, columns: columns ?? known.slice(0, maxColumns) }
  await insertExport(tx, {
    id,
    ...details,
    filter: filter ? JSON.stringify(filter) : null,
    query: query ? JSON.stringify(query) : null,
    task_id: task.task_id,
    created_by: actor.userId,
    created_at: now,
    expires_at: daysLater(now, exportDays),
  })
  await recordAudit(tx, 'export.created', {
    id,
    label,
    after: { ...details, filter: filter ?? null, query: query ?? null },
  })
  return { ...task, export_id: id }
}

function assertKnownColumns(columns: readonly string[], known: readonly string[]): void {
  const problems = columns.flatMap((column, index) =>
    known.includes(column)
      ? []
      : [
          {
            in: 'body' as const,
            path: `/columns/${index}`,
            code: 'unknown',
            message: `\`${column}\` is not a column.`,
          },
        ],
  )
  if (problems.length) throw invalidInput(problems)
}

async function assertUnderDailyLimit(tx: TenantTx, userId: string, now: Date): Promise<void> {
  await lockExportsOfUser(tx, userId)
  const times = await listExportTimes(tx, userId, daysLater(now, -1), maxPerDay)
  if (times.length < maxPerDay) return
  const seconds = (daysLater(times.at(-1)!, 1).getTime() - now.getTime()) / 1_000
  throw rateLimited(seconds, (wait) => `A user can start ${maxPerDay} exports in 24 hours. Try again in ${wait}.`)
}
