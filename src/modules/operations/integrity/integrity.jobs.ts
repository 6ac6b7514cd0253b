import { Type } from 'typebox'
import { listTenantIds } from '#modules/identity'
import { newId } from '#platform/ids'
import { defineTenantSchedule, type JobContext, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import { defineTask, defineTaskHandler } from '#platform/tasks'
import { repairFindings, runIntegrityChecks } from './integrity.flow.ts'
import { overallStatus } from './integrity.rules.ts'
import { replaceIntegrityReport } from './integrity-reports.queries.ts'

export const checkIntegrityTask = defineTask('operations.check_integrity', 'bulk', strict({}))

const RepairPayload = strict({ check: Type.String(), dry_run: Type.Boolean() })
export const repairFindingsTask = defineTask('operations.repair_findings', 'bulk', RepairPayload)

async function checkAndReport(services: Services, job: JobContext, runId: string) {
  const { clock, log, registry } = services
  const started_at = clock.now()
  const checks = await runIntegrityChecks(registry.integrityChecksOf(services), job, log)
  const report = { run_id: runId, started_at, finished_at: clock.now(), checks }
  await job.inTenant((tx) => replaceIntegrityReport(tx, report))
  return { run_id: runId, status: overallStatus(checks) }
}

export const checkIntegrityHandler = (services: Services): JobHandler =>
  defineTaskHandler(checkIntegrityTask, (context) => checkAndReport(services, context, context.taskId))

export const repairFindingsHandler = (services: Services): JobHandler =>
  defineTaskHandler(repairFindingsTask, (context, { check, dry_run }) =>
    repairFindings(services.registry.integrityChecksOf(services), context, { code: check, isDryRun: dry_run }),
  )

export const checkIntegritySchedule = (services: Services) =>
  defineTenantSchedule('operations.check_integrity_nightly', '41 3 * * *', {
    listTenants: listTenantIds,
    runForTenant: async (context) => void (await checkAndReport(services, context, newId())),
  })
