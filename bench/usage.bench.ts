// Measures dashboard, funnel and retention of a workspace with EVENTS events (2,000,000) against one with a tenth of them.
import type pg from 'pg'
import { median } from './measure.ts'
import { startUsageWorkspace } from './workspaces/usage-workspace.ts'

const events = Number(process.env.EVENTS ?? 2_000_000)
const [maxRatio, maxMs, runs] = [8, 3_000, 5]
const days = 90

const reads = {
  dashboard: '/api/tenant/plg/dashboard?period=90d',
  'funnel of 4 steps': '/api/tenant/plg/funnels?steps=signed_in,project_created,task_completed,invite_sent&days=30',
  'retention of 12 weeks': '/api/tenant/plg/retention?granularity=week&periods=12',
}

export async function run(): Promise<void> {
  const [small, large] = [await measureReads(events / 10), await measureReads(events)]
  let worst = 0
  for (const name of Object.keys(reads)) {
    const [fast, slow] = [small[name]!, large[name]!]
    worst = Math.max(worst, slow / fast)
    const isOk = slow / fast <= maxRatio && slow <= maxMs
    console.log(
      `  ${name}: ${fast.toFixed(0)} ms, ${slow.toFixed(0)} ms, ${(slow / fast).toFixed(1)} ${isOk ? 'ok' : 'SLOW'}`,
    )
  }
  console.log(`ratio: ${worst.toFixed(2)}`)
}

async function measureReads(count: number): Promise<Record<string, number>> {
  const { owner, tenantId, createClient, stop } = await startUsageWorkspace()
  try {
    await fillEvents(owner, tenantId, count)
    const { send, close } = createClient()
    const times: Record<string, number> = {}
    for (const [name, path] of Object.entries(reads)) {
      const measured: number[] = []
      for (let n = 0; n < runs; n++) {
        await owner.query(`select pg_sleep(0)`)
        const { durationMs } = await send({
          path: `${path}${name.startsWith('funnel') ? `&window_days=${n + 10}` : ''}`,
        })
        measured.push(durationMs)
      }
      // Only the first response of the others is not cached.
      times[name] = name.startsWith('funnel') ? median(measured) : Math.max(...measured)
    }
    close()
    return times
  } finally {
    await stop()
  }
}

/** Inserts events and roll-ups directly, with 20 events per person and month on average. */
async function fillEvents(owner: pg.Pool, tenantId: string, count: number): Promise<void> {
  const people = Math.ceil(count / 60)
  const client = await owner.connect()
  const run = (text: string, values: unknown[] = []) => client.query(text, values)
  try {
    await run(`select set_config('app.tenant_id', $1, false)`, [tenantId])
    await run(`insert into plg.states (tenant_id, timezone) values ($1, 'UTC')`, [tenantId])
    await run(
      `insert into plg.actors (tenant_id, id, is_account, ref, first_seen_at, last_seen_at)
       select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, false, 'user-' || n, now(), now()
       from generate_series(0, $2::int - 1) as n`,
      [tenantId, people],
    )
    await run(
      `insert into plg.events (tenant_id, event_id, ingest_seq, name, person_actor_id, occurred_at, received_at)
       select $1, 'event-' || n, n, (array['signed_in', 'page_viewed', 'project_created', 'task_completed', 'report_exported', 'invite_sent'])
           [1 + (n * 31::bigint % 6)], ('00000000-0000-7000-8000-' || lpad(to_hex(n * 7919::bigint % $3), 12, '0'))::uuid,
         now() - interval '1 minute' - (n * 104729::bigint % ($4::bigint * 86400000)) * interval '1 millisecond', now()
       from generate_series(1, $2::int) as n`,
      [tenantId, count, people, days],
    )
    await run(
      `insert into plg.event_names (tenant_id, name, first_seen_at) select distinct tenant_id, name, now() from plg.events where tenant_id = $1`,
      [tenantId],
    )
    await run(
      `insert into plg.actor_event_days (tenant_id, generation, actor_id, name, day, shard, is_account, events)
       select tenant_id, 1, person_actor_id, name, (occurred_at at time zone 'UTC')::date, 0, false, count(*)
       from plg.events where tenant_id = $1 group by 1, 3, 4, 5`,
      [tenantId],
    )
    await run(
      `insert into plg.event_days (tenant_id, generation, day, name, shard, events)
       select tenant_id, 1, day, name, 0, sum(events) from plg.actor_event_days where tenant_id = $1 group by 1, 3, 4`,
      [tenantId],
    )
    await run(
      `insert into plg.actor_days (tenant_id, generation, day, actor_id, is_account)
       select distinct tenant_id, 1, day, actor_id, false from plg.actor_event_days where tenant_id = $1`,
      [tenantId],
    )
    await run(
      `insert into plg.active_days (tenant_id, generation, is_account, day, shard, actors)
       select tenant_id, 1, false, day, 0, count(*) from plg.actor_days where tenant_id = $1 group by 1, 4`,
      [tenantId],
    )
    await run(
      `insert into plg.actor_periods (tenant_id, generation, is_account, month_on, actor_id, days)
       select tenant_id, 1, false, date_trunc('month', day)::date, actor_id, bit_or(1 << (extract(day from day)::int - 1))
       from plg.actor_days where tenant_id = $1 group by 1, 4, 5`,
      [tenantId],
    )
    await run(
      `insert into plg.first_days (tenant_id, generation, is_account, actor_id, first_active_on)
       select tenant_id, 1, false, actor_id, min(day) from plg.actor_days where tenant_id = $1 group by 1, 4`,
      [tenantId],
    )
    await run('vacuum analyze')
  } finally {
    client.release()
  }
}
