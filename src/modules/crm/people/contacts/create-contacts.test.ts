import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Actor, systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import type { Outcome } from '#platform/errors'
import { newId } from '#platform/ids'
import { countStatements, startTestApp } from '#testing'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'
import type { NewContact } from './contacts.schemas.ts'
import { createContacts } from './create-contacts.service.ts'
import { updateContacts } from './update-contacts.service.ts'

const { tenant, services, db } = await startTestApp({}, { isOwn: true })

type Acme = Awaited<ReturnType<typeof tenant>>
let acme: Acme
let actor: Actor
before(async () => {
  acme = await tenant()
  actor = { ...systemActor(acme.id), type: 'user', userId: acme.manager.userId, role: 'manager', origin: 'import' }
  await createField(acme, { object_type: 'contact', key: 'code', is_unique: true })
})

const inAcme = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, actor, work)
const create = (inputs: NewContact[]) => inAcme((tx) => createContacts(tx, actor, inputs, services))
const codesOf = (outcomes: Outcome<unknown>[]) => outcomes.map((one) => ('error' in one ? one.error.code : 'ok'))

test('each contact of a batch has its own outcome', async () => {
  const { body: account } = await acme.manager.post('/api/accounts/', { name: 'Initech' })
  await acme.manager.post('/api/contacts/', { email: 'taken@batch.example', custom: { code: 'taken' } })

  const outcomes = await create([
    { email: 'ann@batch.example', account_id: account.id, tags: ['vip'], custom: { code: 'a' } },
    { email: 'Taken@batch.example' },
    { email: 'ANN@batch.example' },
    { first_name: 'Only' },
    { last_name: 'Moss', account_id: newId() },
    { last_name: 'Moss', owner_id: newId() },
    { last_name: 'Moss', custom: { code: 'taken' } },
    { last_name: 'Moss', custom: { code: 'a' } },
    { last_name: 'Moss', custom: { unknown: 'x' } },
    { last_name: 'Moss', country: 'QQ' },
    { last_name: 'Roy', owner_id: acme.member.userId },
  ])

  const [invalid, unknown, taken] = ['validation_failed', 'unknown_reference', 'already_exists']
  const rejected = [taken, taken, invalid, unknown, unknown, taken, taken, invalid, invalid]
  assert.deepEqual(codesOf(outcomes), ['ok', ...rejected, 'ok'])
  const [ann] = outcomes as { value: { id: string } }[]
  const shown = (await acme.viewer.get(`/api/contacts/${ann!.value.id}`)).body
  const expected = { account_name: 'Initech', tags: ['vip'], custom: { code: 'a' }, source: 'import' }
  assert.partialDeepStrictEqual(shown, expected)
  assert.equal((await acme.viewer.get('/api/contacts/?tag=vip')).body.length, 1)
  const { rows } = await acme.sql(
    `select count(*)::int as contacts from platform.audit_log where tenant_id = $1 and action = 'contact.created'`,
    [acme.id],
  )
  assert.equal(rows[0].contacts, 3)
})

test('a batch is created and updated with as many statements as two contacts', async () => {
  const inputsOf = (count: number) =>
    Array.from({ length: count }, () => ({ last_name: 'Many', email: `${newId()}@batch.example` }))
  const measure = async (count: number) => {
    const created = await countStatements(db.pool, () => create(inputsOf(count)))
    const { rows } = await acme.sql(
      `select id from crm.contacts where tenant_id = $1 and last_name = 'Many' and title is null`,
      [acme.id],
    )
    const updates = rows.map(({ id }, index) => ({ id: id as string, changes: { title: `Title ${index}` } }))
    const updated = await countStatements(db.pool, () => inAcme((tx) => updateContacts(tx, actor, updates, services)))
    return [rows.length, created.statements, updated.statements]
  }
  await measure(2)

  const [few, many] = [await measure(2), await measure(20)]

  assert.deepEqual([few[0], many[0]], [2, 20])
  assert.deepEqual(many.slice(1), few.slice(1))
})

test('each update of a batch has its own outcome, and unchanged contacts keep their version', async () => {
  const created = await create([
    { email: 'one@batch.example', title: 'CEO' },
    { email: 'two@batch.example' },
    { email: 'three@batch.example' },
  ])
  const [one, two, three] = created.map((outcome) => ('value' in outcome ? outcome.value : assert.fail()))

  const outcomes = await inAcme((tx) =>
    updateContacts(
      tx,
      actor,
      [
        { id: one!.id, changes: { title: 'CEO' } },
        { id: two!.id, changes: { email: 'one@batch.example' } },
        { id: three!.id, changes: { title: 'CTO', tags: ['new'] } },
        { id: newId(), changes: { title: 'CTO' } },
      ],
      services,
    ),
  )

  assert.deepEqual(codesOf(outcomes), ['ok', 'already_exists', 'ok', 'not_found'])
  const versions = outcomes.map((outcome) => 'value' in outcome && outcome.value.version)
  assert.deepEqual(versions, [one!.version, false, three!.version + 1, false])
  const shown = (await acme.viewer.get(`/api/contacts/${three!.id}`)).body
  assert.partialDeepStrictEqual(shown, { title: 'CTO', tags: ['new'], email: 'three@batch.example' })
})
