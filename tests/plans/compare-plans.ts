import { isAccepted } from './accepted-reads.ts'
import type { CapturedStatement } from './captured-statements.ts'
import { ExplainConnection, type Measured } from './explain.ts'

export type TenantStatements = { tenant: string; tenantId: string; statements: Map<string, CapturedStatement[]> }
export type Comparison = {
  text: string
  /** Workspace that ran the statement, and the one that had used the connection before. */
  tenant: string
  first: string
  buffers: number
  /** The fewest buffers with any plan that was tried. */
  best: number
  scans: string[]
  bestScans: string[]
  scannedTables: string[]
}

type Urls = { appUrl: string; ownerUrl: string }
type Options = {
  /** Also tries plans made for the workspace and the values of each statement. */
  plansForValues: boolean
}

/** Runs each statement after each workspace has prepared it, in turn. */
export async function comparePlans(
  { appUrl, ownerUrl }: Urls,
  tenants: readonly TenantStatements[],
  { plansForValues }: Options,
): Promise<Comparison[]> {
  const runs: Run[] = []
  for (const first of tenants) {
    const order = [first, ...tenants.filter((tenant) => tenant !== first)]
    runs.push({ first: first.tenant, measured: await explainAll(await openAsApp(appUrl), order) })
  }
  const others = plansForValues ? [await explainAll(await openForValues(ownerUrl), tenants)] : []
  const results = [...runs.map(({ measured }) => measured), ...others]
  const bestOf = (statement: CapturedStatement): Measured =>
    results.map((measured) => measured.get(statement)!).reduce((a, b) => (b.buffers < a.buffers ? b : a))
  return runs.flatMap(({ first, measured }) =>
    [...listStatements(tenants)].map(({ tenant, statement }) => ({
      text: statement.text,
      tenant: tenant.tenant,
      first,
      best: bestOf(statement).buffers,
      bestScans: bestOf(statement).scans,
      ...measured.get(statement)!,
    })),
  )
}

type Run = { first: string; measured: Map<CapturedStatement, Measured> }

async function explainAll(connection: ExplainConnection, order: readonly TenantStatements[]): Promise<Run['measured']> {
  const measured: Run['measured'] = new Map()
  for (const { tenant, statement } of listStatements(order))
    measured.set(statement, await connection.explain(statement, tenant.tenantId))
  await connection.close()
  return measured
}

async function openAsApp(appUrl: string): Promise<ExplainConnection> {
  const connection = await ExplainConnection.open(appUrl)
  await connection.query('begin')
  return connection
}

/** Plans with the values and with the size of the workspace, which the policies of the application hide from the planner. */
async function openForValues(ownerUrl: string): Promise<ExplainConnection> {
  const connection = await ExplainConnection.open(ownerUrl)
  await connection.query('begin')
  await connection.query(`do $$ declare isolated regclass; begin
    for isolated in select polrelid from pg_policy where polname = 'tenant_isolation' loop
      execute format('alter policy tenant_isolation on %s using (tenant_id = platform.current_tenant_id())', isolated);
    end loop; end $$`)
  await connection.query(`set local role app; set local plan_cache_mode = force_custom_plan; set local enable_seqscan = off;
    set local jit = off; set local max_parallel_workers_per_gather = 0`)
  return connection
}

function* listStatements(tenants: readonly TenantStatements[]) {
  const texts = new Set(tenants.flatMap(({ statements }) => [...statements.keys()]))
  for (const text of texts)
    for (const tenant of tenants) for (const statement of tenant.statements.get(text) ?? []) yield { tenant, statement }
}

/** True if the plan reads much more than another one. */
export const isTooSlow = ({ text, buffers, best }: Comparison): boolean =>
  buffers > 3 * best + 200 && !isAccepted({ text, buffers })
