// Compares events per second through HTTP, four writers with batches of 1,000, with a bare COPY of the same rows into a table with the
// same indexes. BATCHES sets the batches per writer and round; the events are of the last DAYS days, of 2,000 people.
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { newId } from '#platform/ids'
import { median } from './measure.ts'
import { eventsPerBatch, startUsageWorkspace, usageEventAt } from './workspaces/usage-workspace.ts'

const writers = 4
const batches = Number(process.env.BATCHES ?? 25)
const rounds = Number(process.env.ROUNDS ?? 3)
const goal = 0.35

export async function run(): Promise<void> {
  const workspace = await startUsageWorkspace()
  const copier = new pg.Pool({ connectionString: workspace.superuserUrl, max: writers })
  const clients = Array.from({ length: writers }, () => workspace.createClient())
  const options = { people: 2_000, days: Number(process.env.DAYS ?? 1), now: Date.now() }
  let next = 0
  const takeBatches = () =>
    Array.from({ length: writers }, () =>
      Array.from({ length: batches }, () =>
        Array.from({ length: eventsPerBatch }, () => usageEventAt(next++, options)),
      ),
    )
  try {
    const ratios: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const work = takeBatches()
      const sent = await measureSeconds(() =>
        Promise.all(
          work.map(async (own, writer) => {
            for (const events of own)
              await clients[writer]!.send({ method: 'POST', path: '/api/tenant/plg/events', body: { events } })
          }),
        ),
      )
      const copied = await measureCopy(copier, workspace.tenantId, work)
      const rate = (seconds: number) => Math.round((writers * batches * eventsPerBatch) / seconds)
      // The first round only warms up.
      if (round > 0) ratios.push(copied / sent)
      console.log(`  HTTP ${rate(sent)} events/s, COPY ${rate(copied)} events/s, ratio ${(copied / sent).toFixed(2)}`)
    }
    console.log(`goal: ${goal}`)
    console.log(`ratio: ${median(ratios).toFixed(2)}`)
  } finally {
    for (const { close } of clients) close()
    await copier.end()
    await workspace.stop()
  }
}

async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

type Batches = ReturnType<typeof usageEventAt>[][][]

/** Copies the rows that the API stores, with four connections and one statement per batch. */
async function measureCopy(pool: pg.Pool, tenantId: string, work: Batches): Promise<number> {
  await pool.query('create table if not exists public.copied_events (like plg.events including all)')
  const ids = new Map<string, string>()
  const idOf = (ref: string) => {
    if (!ids.has(ref)) ids.set(ref, newId())
    return ids.get(ref)!
  }
  const files: string[][] = []
  let seq = 0
  for (const own of work)
    files.push(
      await Promise.all(
        own.map(async (events) => {
          const file = join(tmpdir(), `copied-${newId()}.txt`)
          const lines = events.map(({ event_id, name, user_ref, account_ref, occurred_at, properties }) =>
            [
              tenantId,
              event_id,
              ++seq,
              name,
              idOf(user_ref),
              idOf(account_ref),
              occurred_at,
              occurred_at,
              JSON.stringify(properties),
            ].join('\t'),
          )
          await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 })
          return file
        }),
      ),
    )
  const seconds = await measureSeconds(() =>
    Promise.all(
      files.map(async (own) => {
        const client = await pool.connect()
        for (const file of own) await client.query(`copy public.copied_events from '${file}'`)
        client.release()
      }),
    ),
  )
  await Promise.all(files.flat().map((file) => rm(file)))
  return seconds
}
