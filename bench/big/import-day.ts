import type pg from 'pg'
import type { Db } from '#platform/db'
import type { BenchWorkspace } from './bench-workspace.ts'
import { foldAllDeltas, printRatio } from './ratios.ts'

const batchSize = 5_000
const reports = ['kpis', 'analytics'] as const
type Report = (typeof reports)[number]

type ImportOptions = { rounds: number; imported: number; owner: pg.Pool; db: Db }

/** Prints the ratios after an import into the larger workspace. Returns those with folded deltas, as a worker leaves them within a minute. */
export async function printImportRatios(
  larger: BenchWorkspace,
  smaller: BenchWorkspace,
  { rounds, imported, owner, db }: ImportOptions,
) {
  console.log(`after ${imported} leads were imported on one day, one of them changed every second`)
  try {
    for (let done = 0; done < imported; done += batchSize)
      await importLeads(owner, larger.tenantId, Math.min(batchSize, imported - done))
    for (const report of reports) await compare(report, 'imported leads not folded yet')
    await foldAllDeltas(db, larger.tenantId)
    const stop = await changeEverySecond(owner, larger)
    const [kpis, analytics] = [await compare('kpis', 'folded'), await compare('analytics', 'folded')]
    await stop()
    return { kpis, analytics }
  } finally {
    await deleteImported(owner, larger.tenantId)
    await foldAllDeltas(db, larger.tenantId)
  }

  function compare(report: Report, state: string): Promise<number> {
    const path = `/api/leads/${report}`
    const measures = [larger, smaller].map((workspace) => async () => (await workspace.send({ path })).durationMs)
    return printRatio(`${report}, ${state}`, measures, rounds)
  }
}

async function importLeads(owner: pg.Pool, tenantId: string, count: number): Promise<void> {
  await owner.query(
    `insert into crm.leads (tenant_id, id, last_name, search_text, source, status, owner_id, score, import_id, created_at, created_on,
       first_responded_at, sla_due_at)
     select $1, gen_random_uuid(), 'Imported ' || n, ' imported ' || n, (array['web', 'fair', 'api'])[1 + n % 3],
       case when n % 5 > 1 then 'contacted' else 'new' end, users[1 + n % cardinality(users)], n % 100, $1, now(), current_date,
       case when n % 5 > 1 then now() + interval '1 second' * (60 + random() * 90000) end, now() + interval '2 days'
     from generate_series(1, $2::integer) n,
       (select array_agg(id) as users from identity.users where tenant_id = $1) as owners`,
    [tenantId, count],
  )
}

async function changeEverySecond(owner: pg.Pool, { tenantId, send }: BenchWorkspace): Promise<() => Promise<void>> {
  const { rows } = await owner.query('select id from crm.leads where tenant_id = $1 and import_id = $1 limit 1', [
    tenantId,
  ])
  let changes = 0
  const change = async () => {
    const status = ['working', 'contacted'][changes++ % 2]
    await send({ method: 'PATCH', path: `/api/leads/${rows[0].id}`, body: { status } })
  }
  await change()
  let pending = Promise.resolve()
  const timer = setInterval(() => {
    pending = pending.then(change)
  }, 1_000)
  return async () => {
    clearInterval(timer)
    await pending
  }
}

async function deleteImported(owner: pg.Pool, tenantId: string): Promise<void> {
  for (let deleted = batchSize; deleted === batchSize; ) {
    const { rowCount } = await owner.query(
      `delete from crm.leads where tenant_id = $1 and id in (
         select id from crm.leads where tenant_id = $1 and created_on >= current_date - 1 and import_id = $1 limit ${batchSize})`,
      [tenantId],
    )
    deleted = rowCount!
  }
}
