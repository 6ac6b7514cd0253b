import type { TenantTx } from '#platform/db'
import type { CheckResult } from './integrity.rules.ts'

type Report = { run_id: string; started_at: Date; finished_at: Date; checks: CheckResult[] }

export async function findIntegrityReport(tx: TenantTx): Promise<Report | undefined> {
  const report = await tx
    .selectFrom('operations.integrity_reports')
    .select(['run_id', 'started_at', 'finished_at', 'checks'])
    .executeTakeFirst()
  return report && { ...report, checks: report.checks as CheckResult[] }
}

export async function replaceIntegrityReport(tx: TenantTx, { checks, ...report }: Report): Promise<void> {
  const values = { ...report, checks: JSON.stringify(checks) }
  await tx
    .insertInto('operations.integrity_reports')
    .values(values)
    .onConflict((existing) => existing.constraint('integrity_reports_pkey').doUpdateSet(values))
    .execute()
}
