import type pg from 'pg'

/** `isPlannedForValues`: the application plans it each time it runs. */
export type CapturedStatement = { text: string; values: readonly unknown[]; isPlannedForValues: boolean }
type Submitted = { text?: string; values?: readonly unknown[] }

/** Collects the statements that `work` runs on a pool. */
export async function captureStatements(pool: pg.Pool, work: () => Promise<unknown>): Promise<CapturedStatement[]> {
  const captured: CapturedStatement[] = []
  const clients = new Map<pg.PoolClient, unknown>()
  const plannedForValues = new Set<pg.PoolClient>()
  const observe = (client: pg.PoolClient) => {
    plannedForValues.delete(client)
    if (clients.has(client)) return
    const query = client.query as (...input: unknown[]) => unknown
    clients.set(client, query)
    Object.assign(client, {
      query(submitted: Submitted, ...input: unknown[]) {
        const { text, values = [] } = submitted
        if (text?.includes('force_custom_plan')) plannedForValues.add(client)
        if (text) captured.push({ text, values, isPlannedForValues: plannedForValues.has(client) })
        return query.call(client, submitted, ...input)
      },
    })
  }
  pool.on('acquire', observe)
  try {
    await work()
  } finally {
    pool.off('acquire', observe)
    for (const [client, query] of clients) Object.assign(client, { query })
  }
  return captured
}
