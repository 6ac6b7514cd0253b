import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { connect, createInstanceState, disconnect } from './connect.ts'
import { enterTenant, inSystem, inTenant, outsideTenant } from './tenant-tx.ts'

const { database, db, systemDb } = await startTestDb()

test('transactions of all handles of an application find its attachment', async () => {
  const colors = createInstanceState<string>('color')
  const sibling = connect(database.appUrl, { sameInstanceAs: systemDb })
  const acme = systemActor(newId())

  colors.attach(db, 'red')
  const found = [
    await inTenant(db, acme, async (tx) => colors.get(tx)),
    await inTenant(sibling, acme, async (tx) => colors.get(tx)),
    await inSystem(systemDb, async (tx) => colors.get(tx)),
    await outsideTenant(db, async (tx) => colors.get(await enterTenant(tx, acme))),
    colors.get(systemDb),
  ]
  await disconnect(sibling)

  assert.deepEqual(found, ['red', 'red', 'red', 'red', 'red'])
})

test('an application does not find attachments of another application or of another name', async () => {
  const colors = createInstanceState<string>('color')
  const sizes = createInstanceState<string>('size')
  const other = connect(database.appUrl)

  colors.attach(db, 'red')
  const found = await inTenant(other, systemActor(newId()), async (tx) => colors.find(tx))
  await disconnect(other)

  assert.equal(found, undefined)
  assert.throws(() => sizes.get(db), /application without a size/)
})
