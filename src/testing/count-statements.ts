import type pg from 'pg'

export async function countStatements(pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const clients = new Map<pg.PoolClient, unknown>()
  const observe = (client: pg.PoolClient) => {
    if (clients.has(client)) return
    const query = client.query as (...input: unknown[]) => unknown
    clients.set(client, query)
    Object.assign(client, {
      query(...input: unknown[]) {
        count++
        return query.apply(client, input)
      },
    })
  }
  pool.on('acquire', observe)
  await work()
  pool.off('acquire', observe)
  for (const [client, query] of clients) Object.assign(client, { query })
  return count
}
