import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { IntegrityCheck } from '#platform/module'
import { findOpenTask, startTask } from '#platform/tasks'
import { checkIntegrityTask, repairFindingsTask } from './integrity.jobs.ts'
import { overallStatus } from './integrity.rules.ts'
import type { IntegrityReport } from './integrity.schemas.ts'
import { findIntegrityReport } from './integrity-reports.queries.ts'

/** Returns the latest report. Starts the first run of a workspace that has none. */
export async function getIntegrityReport(tx: TenantTx): Promise<IntegrityReport> {
  const [report, openTask] = await Promise.all([findIntegrityReport(tx), findOpenTask(tx, checkIntegrityTask)])
  if (report) return { ...report, state: openTask ? 'running' : 'finished', status: overallStatus(report.checks) }
  if (!openTask) await startIntegrityChecks(tx)
  const state = openTask ? 'running' : 'never_run'
  return { run_id: null, state, started_at: null, finished_at: null, status: null, checks: [] }
}

/** Returns the task of a run that has not finished instead of starting another. */
export async function startIntegrityChecks(tx: TenantTx) {
  const openTask = await findOpenTask(tx, checkIntegrityTask)
  return openTask ?? (await startTask(tx, checkIntegrityTask, {}, { title: 'Check data integrity' }))
}

export async function repairIntegrityFindings(
  tx: TenantTx,
  checks: readonly IntegrityCheck[],
  { check, isDryRun }: { check: string; isDryRun: boolean },
) {
  const contributors = checks.filter(({ code }) => code === check)
  if (!contributors.some(({ repair }) => repair)) throw notFound('repair')
  const title = `${isDryRun ? 'List what would be repaired' : 'Repair'}: ${contributors[0]!.title}`
  return await startTask(tx, repairFindingsTask, { check, dry_run: isDryRun }, { title })
}
