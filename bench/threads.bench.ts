// Compares lists of threads of a workspace with 100,000 threads with those of one with 1,000.
import type pg from 'pg'
import { newId } from '#platform/ids'
import { createTestDatabase, migrateTemplate, openOwnerPool, startPostgres } from '#testing'
import { createEnvironment, domain, startApi } from './api.ts'
import { createHttpClient } from './http-client.ts'
import { median } from './measure.ts'
import { createAccessToken } from './sign-in.ts'

const maxRatio = 1.5
const warmUpRounds = 20
const [large, small] = [Number(process.env.THREADS ?? 100_000), 1_000]
const rooms = 5

type ThreadsBenchOptions = { rounds?: number }

export async function run({ rounds = 200 }: ThreadsBenchOptions = {}): Promise<number> {
  const server = await startPostgres({ settings: ['shared_buffers=512MB', 'jit=off'] })
  await migrateTemplate(server.url)
  const database = await createTestDatabase(server.url)
  const owner = openOwnerPool(database.ownerUrl)
  owner.on('error', () => {})
  const environment = createEnvironment(database, { RATE_LIMIT_FACTOR: '0' })
  const workspaces = [await fillWorkspace(owner, large), await fillWorkspace(owner, small)]
  await owner.query('vacuum analyze')
  const api = await startApi(environment)
  try {
    const clients: Client[] = []
    for (const { slug, tenantId, userId, roomId, threads } of workspaces) {
      const token = await createAccessToken(owner, { tenantId, userId }, environment)
      const headers = { host: `${slug}.${domain}`, authorization: `Bearer ${token}` }
      clients.push({ send: createHttpClient(api.port, headers).send, roomId, threads })
    }
    console.log(`median of ${rounds} pages of 50: ${large} threads of a room against ${small}`)
    let worst = 0
    for (const { name, pathsOf } of cases) {
      const urls = await Promise.all(clients.map(pathsOf))
      const times: [number[], number[]] = [[], []]
      for (let round = -warmUpRounds; round < rounds; round++)
        for (const [index, { send }] of clients.entries()) {
          const { status, body, durationMs } = await send({ method: 'GET', path: urls[index]! })
          const { items } = body as unknown as { items: unknown[] }
          if (status !== 200 || items.length !== 50) throw new Error(`${status} ${urls[index]}`)
          if (round >= 0) times[index]!.push(durationMs)
        }
      const [slow, fast] = times.map(median) as [number, number]
      worst = Math.max(worst, slow / fast)
      console.log(
        `  ${(slow / fast).toFixed(2).padStart(5)}  ${slow.toFixed(2).padStart(7)} ms  ${fast.toFixed(2).padStart(7)} ms  ` +
          `${slow / fast <= maxRatio ? 'ok  ' : 'SLOW'}  ${name}`,
      )
    }
    console.log(`ratio: ${worst.toFixed(2)}`)
    return worst
  } finally {
    await api.stop()
    await owner.end()
    await server.stop()
  }
}

type Client = { send: ReturnType<typeof createHttpClient>['send']; roomId: string; threads: number }
type ListCase = { name: string; pathsOf(client: Client): Promise<string> }

const url = '/api/community/threads'

/** Totals are counted up to 1,000 threads, so both workspaces count the same number at most. */
const cases: ListCase[] = [
  { name: 'first page across rooms', pathsOf: async () => url },
  { name: 'first page across rooms, not counted', pathsOf: async () => `${url}?count=none` },
  { name: 'first page of a room', pathsOf: async ({ roomId }) => `${url}?room_id=${roomId}` },
  { name: 'first page of a room, not counted', pathsOf: async ({ roomId }) => `${url}?room_id=${roomId}&count=none` },
  { name: 'deep page across rooms by cursor', pathsOf: (client) => findDeepPage(client, `${url}?count=none`) },
  {
    name: 'deep page of a room by cursor',
    pathsOf: (client) => findDeepPage(client, `${url}?room_id=${client.roomId}&count=none`),
  },
]

/** Returns a page near the end of the list. */
async function findDeepPage({ send, threads }: Client, path: string): Promise<string> {
  const { body } = await send({ method: 'GET', path: `${path}&limit=1&offset=${threads - 100}` })
  const { next_cursor } = body as unknown as { next_cursor: string }
  return `${path}&cursor=${encodeURIComponent(next_cursor)}`
}

async function fillWorkspace(owner: pg.Pool, threads: number) {
  const [tenantId, userId, roomId] = [newId(), newId(), newId()]
  const slug = `threads-${threads}`
  await owner.query('insert into identity.tenants (id, slug, name) values ($1, $2, $2)', [tenantId, slug])
  await owner.query(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, email_verified_at)
     values ($1, $2, $3, 'Admin', 'admin', 'active', true, 'sample', 'admin', now())`,
    [tenantId, userId, `admin@${slug}.example`],
  )
  await owner.query('insert into identity.user_presence (tenant_id, user_id) values ($1, $2)', [tenantId, userId])
  await owner.query(
    `insert into enablement.rooms (tenant_id, id, name, room_type, status, owner_id, search_text)
     select $1, case n when 1 then $3::uuid else gen_random_uuid() end, 'Forum ' || n, 'community', 'active', $2, ''
     from generate_series(1, $4::integer) n`,
    [tenantId, userId, roomId, rooms],
  )
  await owner.query(
    `insert into community.threads (tenant_id, id, room_id, author_id, title, body, body_html, body_text, excerpt, renderer_version,
       is_pinned, reply_count, last_activity_at, created_at)
     select $1, gen_random_uuid(), $4, $2, 'Thread ' || n, repeat('Text ', 40), repeat('Text ', 40), repeat('Text ', 40),
       repeat('Text ', 40), 1, n <= 3, n % 20, at, at
     from generate_series(1, $3::integer) n, lateral (select now() - n * interval '1 minute' as at) as activity`,
    [tenantId, userId, threads, roomId],
  )
  return { slug, tenantId, userId, roomId, threads }
}
