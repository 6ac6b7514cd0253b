import { sql } from 'kysely'
import type { Job as Claimed } from 'pg-boss'
import { inSystem, type SystemDb, type SystemTx } from '#platform/db'
import { boss } from './boss.ts'
import type { Order } from './enqueue.ts'
import { deadLettersOf, type Queue, queues } from './queues.ts'
import { contextOf, type Workshop } from './run-jobs.ts'
import { wake } from './wake.ts'

type Redrive = { ids?: string[]; tenantId?: string; job?: string; limit?: number }

/** Gives dead jobs another chance, all their attempts anew. Tells how many went back to their queue. */
export async function redrive(queue: Queue, { ids, tenantId, job, limit = 1_000 }: Redrive = {}): Promise<number> {
  const dead = deadLettersOf(queue)
  const db = boss().getDb()
  const { rows } = await db.executeSql(
    `update pgboss.job_common set group_tier = null
     where id in (
       select id from pgboss.job_common
       where name = $1 and state < 'active' and ($2::text is null or group_id = $2)
         and ($3::text is null or data ->> 'job' = $3) and ($4::uuid[] is null or id = any($4))
       order by created_on limit $5)
     returning id`,
    [dead, tenantId ?? null, job ?? null, ids ?? null, limit],
  )
  if (!rows.length) return 0
  const chosen = rows.map(({ id }: { id: string }) => id)
  const moved = await boss().redrive(dead, { ids: chosen, limit })
  wake(queue)
  return moved
}

export type DeadJob = {
  id: string
  queue: string
  job: string
  tenant_id: string
  payload: unknown
  error: { name?: string; code?: string; message?: string } | null
  attempts: number
  ordered_at: Date
  died_at: Date
}

/** The dead jobs of a queue, the latest first. */
export async function listDeadJobs(queue: Queue, limit = 100): Promise<DeadJob[]> {
  const { rows } = await boss()
    .getDb()
    .executeSql(
      `select id, source_name as queue, data ->> 'job' as job, group_id as tenant_id, data -> 'payload' as payload,
         source_output as error, source_retry_count + 1 as attempts, source_created_on as ordered_at, created_on as died_at
       from pgboss.job_common
       where name = $1 and state < 'active'
       order by created_on desc
       limit $2`,
      [deadLettersOf(queue), limit],
    )
  return rows
}

/** Tells the handlers of dead jobs that these are given up. One that cannot be told now is told later. */
export async function announceGivenUp(shop: Workshop, systemDb: SystemDb): Promise<void> {
  const telling = [...shop.handlers.values()].filter(({ givenUp }) => givenUp).map(({ job }) => job.name)
  if (!telling.length) return
  await inSystem(systemDb, async (tx) => {
    for (const dead of await lockUntold(tx, telling)) await tell(shop, tx, dead)
  })
}

type Untold = Pick<Claimed<Order>, 'id' | 'data' | 'retryCount' | 'groupId'>

async function lockUntold(tx: SystemTx, jobs: string[]): Promise<Untold[]> {
  const { rows } = await sql<Untold>`
    select id, data, source_retry_count as "retryCount", group_id as "groupId"
    from pgboss.job_common
    where name = any(${queues.map(deadLettersOf)}) and state = 'created' and not blocked and start_after <= now()
      and group_tier is distinct from 'told' and data ->> 'job' = any(${jobs})
    order by created_on
    limit 20
    for update skip locked
  `.execute(tx)
  return rows
}

async function tell(shop: Workshop, tx: SystemTx, dead: Untold): Promise<void> {
  const context = contextOf(shop, { ...dead, signal: shop.ending } as Claimed<Order>)
  try {
    await shop.handlers.get(dead.data.job)?.givenUp?.(context, dead.data.payload as never)
    await sql`update pgboss.job_common set group_tier = 'told' where id = ${dead.id}`.execute(tx)
  } catch (err) {
    context.log.warn({ err }, 'nobody could be told that a job was given up')
    await sql`update pgboss.job_common set start_after = now() + interval '1 minute' where id = ${dead.id}`.execute(tx)
  }
}
