import type pg from 'pg'

/** Counts statements, and round trips: statements that are sent together share one. */
export async function countStatements(pool: pg.Pool, work: () => Promise<unknown>) {
  const count = { statements: 0, roundTrips: 0 }
  const clients = new Map<pg.PoolClient, unknown>()
  const countRoundTrip = () => count.roundTrips++
  const observe = (client: pg.PoolClient) => {
    if (clients.has(client)) return
    const query = client.query as (...input: unknown[]) => unknown
    clients.set(client, query)
    client.on('drain', countRoundTrip)
    Object.assign(client, {
      query(...input: unknown[]) {
        count.statements++
        return query.apply(client, input)
      },
    })
  }
  pool.on('acquire', observe)
  await work()
  pool.off('acquire', observe)
  for (const [client, query] of clients) Object.assign(client.off('drain', countRoundTrip), { query })
  return count
}
