import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { subjectTypeOf } from '#platform/outbox'
import { countStatements, startTestApp } from '#testing'
import { presentedRecords } from './presented-records.fixture.ts'
import { subjectsWithoutRecord } from './subjects-without-record.fixture.ts'

const { services, clock, tenant } = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' })
const { eventPresenters, modules } = services.registry

type Acme = Awaited<ReturnType<typeof tenant>>
let acme: Acme
let other: Acme
before(async () => {
  acme = await tenant()
  other = await tenant()
})

const presenterOf = (subjectType: string) => eventPresenters.find((one) => one.subjectType === subjectType)!
const present = (subjectType: string, ids: readonly string[], viewer = acme) =>
  inTenant(services.db, systemActor(viewer.id), (tx) => presenterOf(subjectType).list(tx, ids, clock.now()))

/** Counts twice, because the application may run a statement of its own at the same time. */
async function countFewest(subjectType: string, ids: string[]): Promise<number> {
  const count = () => countStatements(services.db.pool, () => present(subjectType, ids))
  return Math.min((await count()).statements, (await count()).statements)
}

test('every subject type of an event has one presenter, or a reason why it has no record', () => {
  const subjectTypes = new Set(modules.flatMap(({ events }) => events.map(subjectTypeOf)))
  const presented = eventPresenters.map(({ subjectType }) => subjectType)

  assert.deepEqual([...presented, ...Object.keys(subjectsWithoutRecord)].sort(), [...subjectTypes].sort())
  assert.deepEqual(Object.keys(presentedRecords).sort(), presented.sort())
})

for (const [subjectType, { create, show, delete: deleteRecord }] of Object.entries(presentedRecords)) {
  let created: Promise<string[]> | undefined
  const createThree = () => (created ??= Array.fromAsync([1, 2, 3], () => create(acme)))

  test(`events of ${subjectType} have the record as the API shows it`, async () => {
    const ids = await createThree()

    const [first, all, foreign] = [
      await present(subjectType, ids.slice(0, 1)),
      await present(subjectType, [...ids, newId()]),
      await present(subjectType, ids, other),
    ]

    const schema = Compile(presenterOf(subjectType).schema)
    assert.deepEqual([...all.keys()].sort(), [...new Set(ids)].sort())
    for (const id of ids) {
      assert.deepEqual(all.get(id), await show(acme, id))
      assert.deepEqual([...schema.Errors(all.get(id))], [])
    }
    assert.deepEqual(first.get(ids[0]!), all.get(ids[0]!))
    assert.equal(foreign.size, 0)
  })

  test(`events of ${subjectType} are presented with as many statements for one record as for several`, async () => {
    const ids = await createThree()

    await present(subjectType, ids)
    const [one, several] = [await countFewest(subjectType, ids.slice(0, 1)), await countFewest(subjectType, ids)]

    assert.equal(several, one)
  })

  if (deleteRecord)
    test(`events of ${subjectType} have no record after it was deleted`, async () => {
      const [deleted, kept] = [await create(acme), await create(acme)]
      await deleteRecord(acme, deleted)

      assert.deepEqual([...(await present(subjectType, [deleted, kept])).keys()], [kept])
    })
}
