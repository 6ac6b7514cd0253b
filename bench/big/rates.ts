import type { UserActor } from '#platform/access'
import { type Environment, readConfig } from '#platform/config'
import { type Db, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { buildApp } from '../../src/app.ts'
import type { LeadQuery } from '../../src/modules/crm/people/lead-records/leads.schemas.ts'
import { listLeads } from '../../src/modules/crm/people/leads/list-leads.service.ts'
import { openServices } from '../../src/services.ts'
import { measureHttpRate } from '../http-rate.ts'
import { measureRate, median } from '../measure.ts'
import { benchRequests, type ListQuery, listPath } from './bench-requests.ts'
import type { BenchWorkspace } from './bench-workspace.ts'
import { baselineRate, captureStatements } from './pgbench-baseline.ts'

type RatesOptions = {
  db: Db
  api: { port: number }
  server: { port: number }
  database: { name: string }
  environment: Environment
  lists: number
}

const rounds = 3
const seconds = 1

/** Prints the requests per second of each list and the rate of plain PostgreSQL with the same statements. */
export async function printRates(workspace: BenchWorkspace, options: RatesOptions): Promise<void> {
  const { db, api, server, database, environment, lists } = options
  const { services, close } = await openServices(readConfig({ ...environment, LOG_LEVEL: 'silent' }))
  const app = await buildApp(services)
  const credentials = {
    slug: workspace.slug,
    credential: { kind: 'session' as const, token: workspace.headers.authorization.slice('Bearer '.length) },
    trace: { requestId: newId(), ip: '127.0.0.1', userAgent: null },
    isKnown: true,
  }
  const actor = (await services.authenticator.authenticate(credentials)).actor as UserActor

  console.log('requests per second with 16 connections, against pgbench -M prepared with the same statements')
  for (const { name, listQuery } of benchRequests.filter((benchRequest) => benchRequest.listQuery).slice(0, lists)) {
    const query = await listQuery!(workspace)
    const callService = () => inTenant(db, actor, (tx) => listLeads(tx, actor, toLeadQuery(query), services))
    const statements = await inTenant(db, actor, (tx) =>
      captureStatements(tx, () => listLeads(tx, actor, toLeadQuery(query), services)),
    )
    const path = listPath(query)
    const variants = {
      baseline: () => baselineRate({ port: server.port, name: database.name }, workspace.tenantId, statements, seconds),
      service: () => measureRate(callService, seconds * 1_000),
      inject: () => measureRate(() => app.inject({ url: path, headers: workspace.headers }), seconds * 1_000),
      http: () => measureHttpRate(`http://127.0.0.1:${api.port}${path}`, workspace.headers, seconds),
    }
    const rates: Record<string, number[]> = { baseline: [], service: [], inject: [], http: [] }
    for (let round = 0; round < rounds; round++)
      for (const [variant, measure] of Object.entries(variants)) rates[variant]!.push(await measure())
    const formatMedian = (variant: keyof typeof variants) => `${Math.round(median(rates[variant]!))}/s`.padStart(7)
    const ratio = median(rates.http!.map((rate, round) => rate / rates.baseline![round]!))
    console.log(
      `  ${ratio.toFixed(2)}  ${formatMedian('http')}  pgbench ${formatMedian('baseline')} (${statements.length} statements), ` +
        `service call ${formatMedian('service')}, without socket ${formatMedian('inject')}  ${name}`,
    )
  }
  await app.close()
  await close()
}

const toLeadQuery = ({ status, grade, score_min, score_max, ...query }: ListQuery): LeadQuery =>
  ({
    limit: 50,
    offset: 0,
    sort: 'priority',
    ...query,
    ...(status && { status: status.split(',') }),
    ...(grade && { grade: [grade] }),
    ...(score_min && { score_min: Number(score_min), score_max: Number(score_max) }),
  }) as LeadQuery
