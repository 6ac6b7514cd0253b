import type { SignedIn } from '#platform/access'
import { type Environment, readConfig } from '#platform/config'
import { type Db, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { buildApp } from '../../src/app.ts'
import { findLeads } from '../../src/modules/crm/leads/find-leads.service.ts'
import type { LeadQuery } from '../../src/modules/crm/leads/leads.schemas.ts'
import { openServices } from '../../src/services.ts'
import { loadOn } from '../load.ts'
import { median, perSecond } from '../measure.ts'
import { bareRate, statementsOf } from './bare.ts'
import { type Listed, pathOf, questions } from './questions.ts'
import type { Workspace } from './workspaces.ts'

type Given = {
  db: Db
  api: { port: number }
  server: { port: number }
  database: { name: string }
  environment: Environment
  lists: number
}

const rounds = 3
const seconds = 1

/** Prints how many requests a second each list takes, beside what PostgreSQL alone does with the same statements. */
export async function tellRates(workspace: Workspace, given: Given): Promise<void> {
  const { db, api, server, database, environment, lists } = given
  const { services, close } = await openServices(readConfig({ ...environment, LOG_LEVEL: 'silent' }))
  const app = await buildApp(services)
  const arrival = {
    slug: workspace.slug,
    credential: { kind: 'session' as const, token: workspace.headers.authorization.slice('Bearer '.length) },
    trace: { requestId: newId(), ip: '127.0.0.1', userAgent: null },
  }
  const actor = (await services.gatekeeper.admit(arrival)).actor as SignedIn

  console.log('requests a second, 16 at a time, against pgbench -M prepared with the same statements')
  for (const { name, listed } of questions.filter((question) => question.listed).slice(0, lists)) {
    const query = await listed!(workspace)
    const find = () => inTenant(db, actor, (tx) => findLeads(tx, actor, asQuery(query), services))
    const statements = await inTenant(db, actor, (tx) =>
      statementsOf(tx, () => findLeads(tx, actor, asQuery(query), services)),
    )
    const path = pathOf(query)
    const ways = {
      bare: () => bareRate({ port: server.port, name: database.name }, workspace.tenantId, statements, seconds),
      call: () => perSecond(find, seconds * 1_000),
      inside: () => perSecond(() => app.inject({ url: path, headers: workspace.headers }), seconds * 1_000),
      http: () => loadOn(`http://127.0.0.1:${api.port}${path}`, workspace.headers, seconds),
    }
    const measured: Record<string, number[]> = { bare: [], call: [], inside: [], http: [] }
    for (let round = 0; round < rounds; round++)
      for (const [way, rate] of Object.entries(ways)) measured[way]!.push(await rate())
    const of = (way: keyof typeof ways) => median(measured[way]!)
    const ratio = median(measured.http!.map((rate, round) => rate / measured.bare![round]!))
    console.log(
      `  ${ratio.toFixed(2)}  ${perSecondOf(of('http'))}  pgbench ${perSecondOf(of('bare'))} (${statements.length} statements), ` +
        `in the product without HTTP ${perSecondOf(of('call'))}, without the socket ${perSecondOf(of('inside'))}  ${name}`,
    )
  }
  await app.close()
  await close()
}

const perSecondOf = (rate: number) => `${Math.round(rate)}/s`.padStart(7)

/** As the route reads it. */
const asQuery = ({ status, grade, score_min, score_max, ...query }: Listed): LeadQuery =>
  ({
    ...{ limit: 50, offset: 0, sort: 'priority', ...query },
    ...(status && { status: status.split(',') }),
    ...(grade && { grade: [grade] }),
    ...(score_min && { score_min: Number(score_min), score_max: Number(score_max) }),
  }) as LeadQuery
