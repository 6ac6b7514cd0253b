import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres, waitUntil } from '#testing'
import { listen } from './listen.ts'

test('a listener reconnects after a server outage with exactly one connection', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-postgres-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const first = await startPostgres({ folder })
  const url = `${first.url}/postgres?application_name=listening`
  const listener = await listen(url)
  const payloads: string[] = []
  await listener.on('news', (payload) => payloads.push(payload))

  await first.stop()
  const wasConnected = listener.isConnected()
  await sleep(4_000)
  const second = await startPostgres({ folder, port: first.port })
  await waitUntil(listener.isConnected)
  await sleep(1_500)
  const client = new pg.Client(`${second.url}/postgres`)
  await client.connect()
  await client.query(`notify news, 'back'`)
  const { rows } = await client.query(
    `select count(*)::int as connections from pg_stat_activity where application_name = 'listening'`,
  )
  await waitUntil(() => payloads.length > 0)
  await client.end()
  await listener.close()
  await second.stop()

  assert.equal(wasConnected, false)
  assert.deepEqual(rows, [{ connections: 1 }])
  assert.deepEqual(payloads, ['back'])
})

test('a listener whose first connection fails does not connect later', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const attempts = Array.from({ length: 5 }, () => listen(`postgres://app@127.0.0.1:${port}/nothing`))
  const outcomes = await Promise.allSettled(attempts)
  await sleep(1_500)
  server.close()

  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(sockets.length, 5)
})
