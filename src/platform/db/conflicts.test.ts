import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { withSavepoint } from './savepoint.ts'
import { afterCommit, enterTenant, inSystem, inTenant, type TenantTx } from './tenant-tx.ts'

const { db, systemDb, owner } = await startTestDb()
await owner.query(`
  create function platform.raise_deadlock() returns void language plpgsql
  as $$ begin raise exception using errcode = '40P01'; end $$;
  grant execute on function platform.raise_deadlock to app, app_system`)

const raiseDeadlock = (tx: TenantTx) => sql`select platform.raise_deadlock()`.execute(tx)
const insertTeam = (tx: TenantTx, name: string) =>
  tx.insertInto('identity.teams').values({ id: newId(), name, search_text: '' }).execute()
const listTeams = async (tx: TenantTx) => {
  const teams = await tx.selectFrom('identity.teams').select('name').orderBy('name').execute()
  return teams.map(({ name }) => name)
}

test('a transaction runs again after a deadlock, without the effects and callbacks of the first attempt', async () => {
  const acme = systemActor(newId())
  const committed: number[] = []
  let attempts = 0

  const result = await inTenant(db, acme, async (tx) => {
    const attempt = ++attempts
    afterCommit(tx, () => committed.push(attempt))
    await insertTeam(tx, `Attempt ${attempt}`)
    if (attempt === 1) await raiseDeadlock(tx)
    return attempt
  })

  assert.deepEqual([result, committed], [2, [2]])
  assert.deepEqual(await inTenant(db, acme, listTeams), ['Attempt 2'])
})

test('a system transaction runs again after a deadlock', async () => {
  const acme = systemActor(newId())
  let attempts = 0

  await inSystem(systemDb, async (system) => {
    const tx = await enterTenant(system, acme)
    await insertTeam(tx, `Attempt ${++attempts}`)
    if (attempts === 1) await raiseDeadlock(tx)
  })

  assert.deepEqual(await inTenant(db, acme, listTeams), ['Attempt 2'])
})

test('a deadlock in a savepoint repeats the whole transaction, also if the error is handled', async () => {
  const acme = systemActor(newId())
  let attempts = 0

  await inTenant(db, acme, async (tx) => {
    await insertTeam(tx, `Attempt ${++attempts}`)
    if (attempts === 1) await withSavepoint(tx, () => raiseDeadlock(tx)).catch(() => {})
  })

  assert.deepEqual(await inTenant(db, acme, listTeams), ['Attempt 2'])
})

test('a transaction that is always a deadlock victim fails after three attempts, and its connection stays usable', async () => {
  const acme = systemActor(newId())
  let attempts = 0

  const failing = inTenant(db, acme, async (tx) => {
    attempts++
    await raiseDeadlock(tx)
  })

  await assert.rejects(failing, { code: '40P01' })
  assert.equal(attempts, 3)
  assert.deepEqual(await inTenant(db, acme, listTeams), [])
})

test('rolling back a savepoint undoes all of it, also after a rollback of a savepoint within it', async () => {
  const acme = systemActor(newId())
  const failWith = (tx: TenantTx, work: () => Promise<unknown>) =>
    withSavepoint(tx, async () => {
      await work()
      throw new Error('changed my mind')
    }).catch(() => {})

  await inTenant(db, acme, async (tx) => {
    await insertTeam(tx, 'Kept')
    await failWith(tx, async () => {
      await insertTeam(tx, 'Outer')
      await failWith(tx, () => insertTeam(tx, 'Inner'))
    })
    await withSavepoint(tx, async () => {
      await failWith(tx, () => insertTeam(tx, 'Inner'))
      await insertTeam(tx, 'Released')
    })
  })

  assert.deepEqual(await inTenant(db, acme, listTeams), ['Kept', 'Released'])
})
