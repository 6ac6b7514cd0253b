import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { startTcpProxy, startTestDb, waitUntil } from '#testing'
import { connect, disconnect } from '../connect.ts'
import { isDatabaseUnavailable } from '../database-errors.ts'
import { listen } from '../listen.ts'
import { inTenant, raiseStatementTimeout, type TenantTx } from '../tenant-tx.ts'

const { database, owner } = await startTestDb()
await owner.query(`alter role app in database ${database.name} set statement_timeout = '1s'`)
const acme = systemActor(newId())
const readTeams = (tx: TenantTx) => tx.selectFrom('identity.teams').select('id').execute()
const wait = (tx: TenantTx) => sql`select pg_sleep(1.8)`.execute(tx)

async function openProxy() {
  const proxy = await startTcpProxy(database.appUrl)
  after(proxy.stop)
  return proxy
}

function openPool(url: string, max: number) {
  const db = connect(url, { max })
  after(() => (db.pool.ending ? undefined : disconnect(db)))
  return db
}

suite('a server that stops responding', { concurrency: true }, () => {
  test('a transaction fails when its connection is silent for longer than the statement timeout', async () => {
    const proxy = await openProxy()
    const db = openPool(proxy.urlOf(database.appUrl), 2)
    const read = () => inTenant(db, acme, readTeams)
    await Promise.all([read(), read()])

    proxy.silence()
    const error = await read().catch((failure: unknown) => failure)
    proxy.restore()
    await waitUntil(() => db.pool.totalCount === 0)

    assert.equal((error as Error).message, 'The database server does not respond.')
    assert.ok(isDatabaseUnavailable(error))
    assert.deepEqual(await read(), [])
  })

  test('a transaction can allow longer statements than its role', async () => {
    const db = openPool(database.appUrl, 2)

    const cancelled = inTenant(db, acme, wait)
    const allowed = inTenant(db, acme, async (tx) => {
      await raiseStatementTimeout(tx, 30)
      await wait(tx)
    })

    await assert.rejects(cancelled, { code: '57014' })
    await allowed
    assert.equal(db.pool.totalCount, 2)
  })

  test('a pool closes although its server is silent', async () => {
    const proxy = await openProxy()
    const db = openPool(proxy.urlOf(database.appUrl), 1)
    await inTenant(db, acme, readTeams)

    proxy.silence()
    await disconnect(db)

    assert.equal(db.pool.totalCount, 0)
  })

  test('a listener notices a silent server and reconnects', async () => {
    const proxy = await openProxy()
    const listener = await listen(proxy.urlOf(database.systemUrl), { pingIntervalMs: 50, pingLimitMs: 500 })
    after(listener.close)
    const payloads: string[] = []
    await listener.on('news', (payload) => payloads.push(payload))

    proxy.silence()
    await waitUntil(() => !listener.isConnected())
    proxy.restore()
    await waitUntil(async () => {
      await owner.query(`notify news, 'back'`)
      return payloads.length > 0
    })

    assert.equal(payloads[0], 'back')
  })
})
