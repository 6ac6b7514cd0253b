// Measures insights and readiness with USERS users (500), ITEMS items (5,000) and VIEWS views (200,000) against a tenth of them.
import type pg from 'pg'
import { systemActor } from '#platform/access'
import { connect, disconnect, inTenant } from '#platform/db'
import { refreshInsights } from '../src/modules/enablement/insights/refresh-insights.service.ts'
import { recomputeSellersAfter } from '../src/modules/enablement/readiness/recompute-readiness.service.ts'
import { median } from './measure.ts'
import { startUsageWorkspace } from './usage-workspace.ts'

const size = {
  users: Number(process.env.USERS ?? 500),
  items: Number(process.env.ITEMS ?? 5_000),
  views: Number(process.env.VIEWS ?? 200_000),
}
const [maxRatio, runs] = [3, 15]
const dealsPerItem = 0.2

const reads = {
  insights: '/api/enablement/insights',
  'list of readiness': '/api/enablement/readiness',
  'readiness of a user': '/api/enablement/readiness/{user_id}',
}

type Size = typeof size

export async function run(): Promise<void> {
  const tenth = { users: size.users / 10, items: size.items / 10, views: size.views / 10 }
  const [small, large] = [await measure(tenth), await measure(size)]
  let worst = 0
  for (const name of Object.keys(large)) {
    const [fast, slow] = [small[name]!, large[name]!]
    const isRead = name in reads
    if (isRead) worst = Math.max(worst, slow / fast)
    const verdict = isRead ? (slow / fast <= maxRatio ? 'ok' : 'SLOW') : 'in the background'
    console.log(`  ${name}: ${fast.toFixed(1)} ms, ${slow.toFixed(1)} ms, ${(slow / fast).toFixed(1)} ${verdict}`)
  }
  console.log(`ratio: ${worst.toFixed(2)}`)
}

async function measure(count: Size): Promise<Record<string, number>> {
  const { owner, tenantId, superuserUrl, createClient, stop } = await startUsageWorkspace()
  const db = connect(superuserUrl)
  try {
    const userId = await fillRecords(owner, tenantId, count)
    const times: Record<string, number> = {}
    const timed = async (name: string, work: () => Promise<unknown>) => {
      const start = performance.now()
      await work()
      times[name] = performance.now() - start
    }
    const now = new Date()
    await timed('calculation of all users', async () => {
      let after: string | undefined = '00000000-0000-0000-0000-000000000000'
      while (after) after = await inTenant(db, systemActor(tenantId), (tx) => recomputeSellersAfter(tx, after!, now))
    })
    await timed('first refresh of insights', () =>
      inTenant(db, systemActor(tenantId), (tx) => refreshInsights(tx, now)),
    )
    await timed('next refresh of insights', () => inTenant(db, systemActor(tenantId), (tx) => refreshInsights(tx, now)))
    await owner.query('vacuum analyze')
    const { send, close } = createClient()
    for (const [name, path] of Object.entries(reads)) {
      const measured: number[] = []
      for (let n = 0; n < runs; n++) {
        const { durationMs, status } = await send({ path: path.replace('{user_id}', userId) })
        if (status !== 200) throw new Error(`${path} responded ${status}.`)
        measured.push(durationMs)
      }
      times[name] = median(measured)
    }
    close()
    return times
  } finally {
    await disconnect(db)
    await stop()
  }
}

const uuid = (prefix: string, n: string) => `('00000000-0000-7000-${prefix}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** Inserts users, items, rooms' views and deals directly. Returns the id of a user. */
async function fillRecords(owner: pg.Pool, tenantId: string, { users, items, views }: Size): Promise<string> {
  const run = (text: string, values: unknown[] = []) => owner.query(text, [tenantId, ...values])
  await run(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, email_verified_at)
     select $1, ${uuid('8001', 'n')}, 'user' || n || '@usage.example', 'User ' || n, 'member', 'active', false, 'sample', 'user', now()
     from generate_series(1, $2::int) as n`,
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
       active_seconds, heartbeats, is_internal)
     select $1, ${uuid('8006', 'n')}, ${uuid('8002', '1 + n * 31::bigint % $3')}, case when n % 2 = 0 then 'library' else 'room' end,
       case when n % 2 = 0 then ${uuid('8001', '1 + n * 7::bigint % $4')} end,
       case when n % 2 = 1 then ${uuid('8007', 'n')} end,
       case when n % 2 = 1 then ${uuid('8005', '1 + n * 13::bigint % $5')} end,
       now() - interval '6 days' - n % 60 * interval '1 day', now(), 30, 2, n % 2 = 0
     from generate_series(1, $2::int) as n`,
    [views, items, users, deals],
  )
  await owner.query('vacuum analyze')
  const { rows: found } = await owner.query(`select ${uuid('8001', '1')}::text as id`)
  return found[0].id
}
