import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { connect, disconnect, inTenant } from './index.ts'

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
