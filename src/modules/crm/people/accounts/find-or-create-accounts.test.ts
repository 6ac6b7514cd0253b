import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { findOrCreateAccounts, type WantedAccount } from './find-or-create-accounts.service.ts'

const { tenant, services, db } = await startTestApp()

test('accounts are found by domain, then by name, and created once', async () => {
  const acme = await tenant()
  const actor: Actor = { ...systemActor(acme.id), type: 'user', userId: acme.manager.userId, origin: 'import' }
  const create = async (body: object) => (await acme.manager.post('/api/accounts/', body)).body.id as string
  const byDomain = await create({ name: 'Initech', domain: 'initech.example' })
  const byName = await create({ name: 'Globex GmbH' })
  const wanted: WantedAccount[] = [
    { name: 'Another name', domain: 'Initech.example' },
    { name: 'globex', domain: null },
    { name: 'Hooli Inc', domain: 'hooli.example' },
    { name: null, domain: 'HOOLI.example' },
    { name: 'Hooli', domain: null },
    { name: null, domain: 'piper.example' },
  ]

  const find = () => inTenant(db, actor, (tx) => findOrCreateAccounts(tx, actor, wanted, services))
  const ids = await find()

  const [, , hooli, , , piper] = ids
  assert.deepEqual(ids, [byDomain, byName, hooli, hooli, hooli, piper])
  assert.deepEqual(await find(), ids)
  const shown = (await acme.viewer.get(`/api/accounts/${hooli}`)).body
  assert.partialDeepStrictEqual(shown, { name: 'Hooli Inc', domain: 'hooli.example', created_by: acme.manager.userId })
  assert.equal((await acme.viewer.get(`/api/accounts/${piper}`)).body.name, 'piper.example')
  assert.equal((await acme.viewer.get('/api/accounts/?search=hooli')).body.items.length, 1)
})

test('concurrent batches create an account once', async () => {
  const acme = await tenant()
  const actor: Actor = { ...systemActor(acme.id), type: 'user', userId: acme.manager.userId, origin: 'import' }
  const wanted = ['One', 'Two', 'Three'].map((name) => ({ name, domain: `${name.toLowerCase()}.example` }))

  const batches = await Promise.all(
    [wanted, wanted.toReversed(), wanted].map((batch) =>
      inTenant(db, actor, (tx) => findOrCreateAccounts(tx, actor, batch, services)),
    ),
  )

  assert.deepEqual(batches[1]!.toReversed(), batches[0])
  assert.deepEqual(batches[2], batches[0])
})
