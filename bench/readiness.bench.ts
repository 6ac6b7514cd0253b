// Measures insights and readiness with USERS users (5,000), ITEMS items (5,000) and VIEWS views (200,000) against a tenth of them.
import type pg from 'pg'
import { systemActor } from '#platform/access'
import { connect, disconnect, inTenant, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { recomputeSellersAfter } from '../src/modules/insights/readiness/recompute-readiness.service.ts'
import { refreshInsights } from '../src/modules/insights/report/refresh-insights.service.ts'
import { median } from './measure.ts'
import { startUsageWorkspace } from './workspaces/usage-workspace.ts'

const size = {
  users: Number(process.env.USERS ?? 5_000),
  items: Number(process.env.ITEMS ?? 5_000),
  views: Number(process.env.VIEWS ?? 200_000),
}
const runs = 25
const dealsPerItem = 0.2
const membersPerTeam = 10

type Read = { path: string; by: 'manager' | 'member'; maxRatio: number }

const reads: Record<string, Read> = {
  insights: { path: '/api/enablement/insights', by: 'manager', maxRatio: 3 },
  'page of a manager': { path: '/api/enablement/readiness', by: 'manager', maxRatio: 3 },
  'row of a member': { path: '/api/enablement/readiness', by: 'member', maxRatio: 1.5 },
  'readiness of a user': { path: '/api/enablement/readiness/{user_id}', by: 'manager', maxRatio: 1.5 },
}
/** Measured again while all users are marked, as after a change of the settings. */
const markedReads = ['page of a manager', 'row of a member']

type Size = typeof size

/** Alternates between both sizes, because the load of the machine changes during the measurement. */
export async function run(): Promise<void> {
  const tenth = { users: size.users / 10, items: size.items / 10, views: size.views / 10 }
  const [small, large] = [await startWorkspace(tenth), await startWorkspace(size)]
  const show = (name: string, [fast, slow]: readonly [number, number], verdict: string) =>
    console.log(`  ${name}: ${fast.toFixed(1)} ms, ${slow.toFixed(1)} ms, ratio ${(slow / fast).toFixed(2)} ${verdict}`)
  let worst = 0
  const compare = async (name: string, { path, by, maxRatio }: Read) => {
    const times: [number, number][] = []
    for (let n = 0; n < runs; n++) times.push([await small.timeOf(path, by), await large.timeOf(path, by)])
    const medians = [median(times.map(([fast]) => fast)), median(times.map(([, slow]) => slow))] as const
    const ratio = medians[1] / medians[0]
    worst = Math.max(worst, ratio / maxRatio)
    show(name, medians, `${ratio <= maxRatio ? 'ok' : 'SLOW'}, at most ${maxRatio}`)
  }
  try {
    for (const name of Object.keys(large.times))
      show(name, [small.times[name]!, large.times[name]!], 'in the background')
    for (const [name, read] of Object.entries(reads)) await compare(name, read)
    for (const { markAll } of [small, large]) await markAll()
    for (const name of markedReads) await compare(`${name}, all marked`, reads[name]!)
  } finally {
    for (const { stop } of [small, large]) await stop()
  }
  // Of the allowed ratio.
  console.log(`ratio: ${worst.toFixed(2)}`)
}

async function startWorkspace(count: Size) {
  const { owner, tenantId, superuserUrl, createClient, createToken, stop } = await startUsageWorkspace()
  const userId = await fillRecords(owner, tenantId, count)
  const times = await timeCalculations(superuserUrl, tenantId)
  await owner.query('vacuum analyze')
  const clients = { manager: createClient(), member: createClient(await createToken(userId)) }
  return {
    times,
    async timeOf(path: string, by: Read['by']) {
      const { durationMs, status } = await clients[by].send({ path: path.replace('{user_id}', userId) })
      if (status !== 200) throw new Error(`${path} responded ${status}.`)
      return durationMs
    },
    async markAll() {
      await owner.query(
        `insert into enablement.readiness_marks (tenant_id, id, user_id)
         select tenant_id, gen_random_uuid(), user_id from enablement.readiness_scores`,
      )
      await owner.query('vacuum analyze enablement.readiness_marks')
    },
    async stop() {
      for (const { close } of Object.values(clients)) close()
      await stop()
    },
  }
}

async function timeCalculations(url: string, tenantId: string): Promise<Record<string, number>> {
  const db = connect(url)
  const inWorkspace = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(tenantId), work)
  const times: Record<string, number> = {}
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    times[name] = performance.now() - start
  }
  const now = new Date()
  try {
    await timed('calculation of all users', async () => {
      for (let after: string | undefined = nilUuid; after !== undefined; )
        after = await inWorkspace((tx) => recomputeSellersAfter(tx, after!, now))
    })
    await timed('first refresh of insights', () => inWorkspace((tx) => refreshInsights(tx, now)))
    await timed('next refresh of insights', () => inWorkspace((tx) => refreshInsights(tx, now)))
    return times
  } finally {
    await disconnect(db)
  }
}

const uuid = (prefix: string, n: string) => `('00000000-0000-7000-${prefix}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** Inserts users with records, items, views of rooms and deals directly. Returns the id of a user. */
async function fillRecords(owner: pg.Pool, tenantId: string, { users, items, views }: Size): Promise<string> {
  const run = (text: string, values: unknown[] = []) => owner.query(text, [tenantId, ...values])
  await run(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, email_verified_at)
     select $1, ${uuid('8001', 'n')}, 'user' || n || '@usage.example', 'User ' || n, 'member', 'active', false, 'sample', 'user', now()
     from generate_series(1, $2::int) as n`,
    [users],
  )
  await run(`insert into identity.user_presence (tenant_id, user_id) values ($1, ${uuid('8001', '1')})`)
  await run(
    `insert into identity.teams (tenant_id, id, name, search_text)
     select $1, ${uuid('8008', 'n')}, 'Team ' || n, 'team' from generate_series(1, $2::int) as n`,
    [users / membersPerTeam],
  )
  await run(
    `insert into identity.team_members (tenant_id, id, team_id, user_id)
     select $1, gen_random_uuid(), ${uuid('8008', '1 + n / $3::int')}, ${uuid('8001', '1 + n')} from generate_series(0, $2::int - 1) as n`,
    [users, membersPerTeam],
  )
  await run(
    `insert into enablement.learning_paths (tenant_id, id, title, type, status, certificate, search_text)
     select $1, ${uuid('8009', 'n')}, 'Path ' || n, 'product', 'published', '{}', 'path' from generate_series(1, 5) as n`,
  )
  await run(
    `insert into enablement.learning_enrollments (tenant_id, id, path_id, user_id, source, is_mandatory, status, progress_rate, due_on)
     select $1, gen_random_uuid(), ${uuid('8009', 'path')}, ${uuid('8001', 'n')}, 'assigned', true, 'in_progress', 0.5, now() + n % 20 * interval '1 day'
     from generate_series(1, $2::int) as n, generate_series(1, 5) as path`,
    [users],
  )
  await run(
    `insert into enablement.coaching_sessions (tenant_id, id, kind, rep_id, status, score, passed, finished_at, started_at, is_private,
       scenario_snapshot, created_at, attempt_no, mode, seed, persona_snapshot, state, transcript_source)
     select $1, gen_random_uuid(), 'roleplay', ${uuid('8001', 'n')}, 'finished', 40 + n % 60, true, at, at, false, '{"type":"discovery"}', at, 1,
       'text', '', '{}', '{}', 'server'
     from generate_series(1, $2::int) as n, generate_series(1, 5) as k, lateral (select now() - k * interval '10 days' as at) as time`,
    [users],
  )
  await run(
    `insert into enablement.content_items (tenant_id, id, title, type, body, status, is_required_reading, published_at, last_reviewed_at, next_review_at)
     select $1, ${uuid('8002', 'n')}, 'Item ' || n, 'document', 'Text', 'published', n <= 20, now(), now(),
       now() + (n % 400 - 30) * interval '1 day'
     from generate_series(1, $2::int) as n`,
    [items],
  )
  await run(
    `insert into enablement.content_item_stats (tenant_id, item_id, views_total, last_viewed_at)
     select $1, ${uuid('8002', 'n')}, 1, now() from generate_series(1, $2::int) as n`,
    [items],
  )
  const deals = Math.ceil(items * dealsPerItem)
  await run(
    `insert into crm.accounts (tenant_id, id, name, name_key, search_text) values ($1, ${uuid('8003', '1')}, 'Globex', 'globex', 'globex')`,
  )
  await run(
    `insert into crm.pipelines (tenant_id, id, name, is_default) values ($1, ${uuid('8004', '1')}, 'Sales', true)`,
  )
  await run(
    `insert into crm.pipeline_stages (tenant_id, pipeline_id, key, label, kind, position, probability_basis, forecast_category)
     values ($1, ${uuid('8004', '1')}, 'won', 'Won', 'won', 1, 10000, 'closed')`,
  )
  await run(
    `insert into crm.opportunities (tenant_id, id, name, name_key, search_text, account_id, pipeline_id, stage_key, kind, closed_at, created_at,
       close_on, amount_minor, amount_currency, amount_base_minor, probability_basis, forecast_category)
     select $1, ${uuid('8005', 'n')}, 'Deal ' || n, 'deal', 'deal', ${uuid('8003', '1')}, ${uuid('8004', '1')}, 'won', 'won',
       now() - interval '5 days', now() - interval '80 days', now(), 10000, 'EUR', 10000, 10000, 'closed'
     from generate_series(1, $2::int) as n`,
    [deals],
  )
  await run(
    `insert into enablement.content_views (tenant_id, id, item_id, source, user_id, visitor_id, opportunity_id, started_at, last_event_at,
       active_seconds, heartbeats, is_internal, updated_at)
     select $1, ${uuid('8006', 'n')}, ${uuid('8002', '1 + n * 31::bigint % $3')}, case when n % 2 = 0 then 'library' else 'room' end,
       case when n % 2 = 0 then ${uuid('8001', '1 + n * 7::bigint % $4')} end,
       case when n % 2 = 1 then ${uuid('8007', 'n')} end,
       case when n % 2 = 1 then ${uuid('8005', '1 + n * 13::bigint % $5')} end,
       at, at, 30, 2, n % 2 = 0, at
     from generate_series(1, $2::int) as n, lateral (select now() - interval '6 days' - n % 60 * interval '1 day' as at) as time`,
    [views, items, users, deals],
  )
  await owner.query('vacuum analyze')
  const { rows: found } = await owner.query(`select ${uuid('8001', '1')}::text as id`)
  return found[0].id
}
