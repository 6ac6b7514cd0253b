import { inSystem, type SystemDb } from '#platform/db'
import type { Schedule, TenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { type CapturedStatement, captureStatements } from './captured-statements.ts'
import { ExplainConnection } from './explain.ts'

const findsTenants = (schedule: Schedule): schedule is TenantSchedule => 'listTenants' in schedule

export type ScheduleScan = { schedule: string; scannedTables: string[] }

/** Lists the schedules that cannot find their workspaces by an index. */
export async function listScheduleScans(
  services: Services,
  systemDb: SystemDb,
  systemUrl: string,
): Promise<ScheduleScan[]> {
  const schedules = services.registry.modules
    .flatMap((module) => module.schedules?.(services) ?? [])
    .filter(findsTenants)
  const connection = await ExplainConnection.open(systemUrl)
  await connection.query('begin; set local enable_seqscan = off')
  const scans: ScheduleScan[] = []
  for (const { name, listTenants } of schedules) {
    const captured = await captureStatements(systemDb.pool, () =>
      inSystem(systemDb, (tx) => listTenants(tx, new Date(0))),
    )
    for (const statement of captured.filter(isRead)) {
      const { scannedTables } = await connection.explain(statement, null)
      if (scannedTables.length) scans.push({ schedule: name, scannedTables })
    }
  }
  await connection.close()
  return scans
}

export const isRead = ({ text }: CapturedStatement): boolean => /^\s*(select|with|\()/i.test(text)
