import type { SampleRecord, Services } from '#platform/module'
import { startTestApp } from '#testing'
import { loadSampleData } from './sample-data.flow.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type Tenant = Awaited<ReturnType<TestApp['tenant']>>

/** Returns the services with the sample data that `change` makes of that of all modules. */
export function withSampleData(
  services: Services,
  change: (shares: ReturnType<Services['registry']['sampleDataOf']>) => typeof shares,
): Services {
  const { sampleDataOf } = services.registry
  return { ...services, registry: { ...services.registry, sampleDataOf: (all) => change(sampleDataOf(all)) } }
}

/** Everything has its full size, except for the many events of product usage. */
const withFewEvents = (services: Services): Services =>
  withSampleData(services, (shares) =>
    shares.map((share) =>
      share.name === 'plg' ? { ...share, plan: (options) => share.plan({ ...options, scale: 0.05 }) } : share,
    ),
  )

let loaded: ReturnType<typeof createSampleWorkspace> | undefined

/**
 * Returns a workspace with records of its own and the sample data. The test files of a process share it, because loading the data
 * takes longer than all their tests. The last of them removes the data.
 */
export async function openSampleWorkspace() {
  const app = await startTestApp()
  app.clock.freeze()
  loaded ??= createSampleWorkspace(app)
  const workspace = await loaded
  app.clock.advance((workspace.now.getTime() - app.clock.now().getTime()) / 1_000)
  const { acme, records } = workspace
  const query = async (text: string, ...values: unknown[]) => (await app.owner.query(text, [acme.id, ...values])).rows
  return {
    ...app,
    ...workspace,
    sampleServices: withFewEvents(app.services),
    idOf: (wanted: string) => records.find(({ key }) => key === wanted)!.id,
    query,
    first: async (text: string, ...values: unknown[]) => (await query(text, ...values))[0],
  }
}

async function createSampleWorkspace({ tenant, owner, services, clock }: TestApp) {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Own account' })).body
  const deal = { name: 'Own deal', account_id: account.id, close_on: '2030-01-31' }
  await acme.member.post('/api/opportunities/', deal)
  await acme.member.post('/api/leads/', { last_name: 'Moss', source: 'webinar' })
  const [now, rowsBefore, idsBefore] = [clock.now(), await countRows(owner, acme), await listSampleTables(owner, acme)]
  const options = { tenantId: acme.id, userId: acme.admin.userId, now }
  const records = await loadSampleData(withFewEvents(services), options)
  return { acme, now, records, rowsBefore, idsBefore }
}

/** Counts the rows of the workspace in every table. */
export async function countRows(owner: TestApp['owner'], { id }: Tenant): Promise<Map<string, number>> {
  const { rows: tables } = await owner.query(
    `select format('%I.%I', space.nspname, class.relname) as name from pg_class class
     join pg_namespace space on space.oid = class.relnamespace
     join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attname = 'tenant_id'
     where class.relkind in ('r', 'p') and not class.relispartition and space.nspname <> 'pgboss' order by 1`,
  )
  const counts = tables.map(async ({ name }): Promise<[string, number]> => {
    const { rows } = await owner.query(`select count(*)::int as rows from ${name} where tenant_id = $1`, [id])
    return [name, rows[0].rows]
  })
  return new Map(await Promise.all(counts))
}

const tables = {
  user: 'identity.users',
  team: 'identity.teams',
  account: 'crm.accounts',
  contact: 'crm.contacts',
  lead: 'crm.leads',
  opportunity: 'crm.opportunities',
  activity: 'crm.activities',
  coaching_persona: 'enablement.coaching_personas',
  coaching_scenario: 'enablement.coaching_scenarios',
  coaching_session: 'enablement.coaching_sessions',
  pitch_prompt: 'enablement.pitch_prompts',
  pitch_submission: 'enablement.pitch_submissions',
} as const

/** Rows that are not sample records: activities that the product logs, and the personas and scenarios of a new workspace. */
const conditions: Record<string, string> = {
  activity: `and type not like '%\\_changed' and type not in ('converted', 'enriched')`,
  coaching_persona: 'and not is_system',
  coaching_scenario: 'and not is_system',
}

/** Lists the ids of the rows that can be sample records. */
export async function listSampleTables(owner: TestApp['owner'], { id }: Tenant): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const [type, table] of Object.entries(tables)) {
    const text = `select id from ${table} where tenant_id = $1 ${conditions[type] ?? ''} order by id`
    all[type] = (await owner.query(text, [id])).rows.map((row) => row.id)
  }
  return all
}

export const idsOf = (records: readonly SampleRecord[], type: string): string[] =>
  records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
