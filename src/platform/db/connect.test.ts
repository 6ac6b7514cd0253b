import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { systemIn } from '#platform/access'
import { newId } from '#platform/ids'
import { connect, disconnect, inTenant } from './index.ts'

test('a pool whose last connection never came about closes all the same', { timeout: 10_000 }, async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const db = connect(`postgres://app@127.0.0.1:${(silent.address() as AddressInfo).port}/nothing`)

  const asking = inTenant(db, systemIn(newId()), (tx) => tx.selectFrom('identity.teams').select('id').execute())
  await assert.rejects(asking)
  await disconnect(db)

  assert.equal(db.pool.totalCount, 0)
})
