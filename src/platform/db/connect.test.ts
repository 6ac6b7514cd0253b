import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { connect, connectSystem, disconnect, inTenant } from './index.ts'

test('a pool whose only connection attempt failed can be closed', { timeout: 10_000 }, async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const db = connect(`postgres://app@127.0.0.1:${(server.address() as AddressInfo).port}/nothing`)

  const query = inTenant(db, systemActor(newId()), (tx) => tx.selectFrom('identity.teams').select('id').execute())
  await assert.rejects(query)
  await disconnect(db)

  assert.equal(db.pool.totalCount, 0)
})

test('a pool has the size and the waiting time of its process', async () => {
  const url = 'postgres://app@127.0.0.1:1/nothing'
  const handles = [connect(url), connect(url, { max: 20, waitMs: 30_000 }), connectSystem(url, { waitMs: 30_000 })]

  const limits = handles.map(({ pool: { options } }) => [options.max, options.connectionTimeoutMillis])

  assert.deepEqual(limits, [
    [8, 2_000],
    [20, 30_000],
    [4, 30_000],
  ])
  await Promise.all(handles.map(disconnect))
})
