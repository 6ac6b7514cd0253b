import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import { startTestApp, waitForValue } from '#testing'
import { addModule, complete, createPath, enroll, oneQuestion, textModule } from '../learning.fixture.ts'
import { completeEnrollmentsJob } from './complete-enrollments.jobs.ts'

const { tenant, clock, services, startTestWorker } = await startTestApp()
await startTestWorker()
clock.freeze()

test('enablement-5-9 prerequisites have no cycle', async () => {
  const acme = await tenant()
  const [a, b] = [await createPath(acme, { status: 'draft' }), await createPath(acme, { status: 'draft' })]
  const codeOf = async (url: string, ids: string[]) => {
    const { status, body } = await acme.manager.patch(url, { prerequisite_path_ids: ids })
    return [status, body.errors?.[0].code]
  }

  assert.deepEqual(await codeOf(b.url, [a.id]), [200, undefined])
  assert.deepEqual(await codeOf(a.url, [b.id]), [422, 'cycle'])
  assert.deepEqual(await codeOf(a.url, [a.id]), [422, 'cycle'])
  assert.deepEqual(await codeOf(a.url, [newId()]), [422, 'unknown_reference'])
  const module = await addModule(acme.manager, a.url, { ...textModule, prerequisite_module_ids: [a.modules[0]!.id] })
  const change = (id: string) => acme.manager.patch(a.modules[0]!.url, { prerequisite_module_ids: [id] })
  assert.deepEqual((await change(module.id)).body.errors[0].code, 'cycle')
  assert.deepEqual((await change(a.modules[0]!.id)).body.errors[0].code, 'cycle')
  assert.deepEqual((await change(b.modules[0]!.id)).body.errors[0].code, 'unknown_reference')
})

test('modules are locked by other paths, other modules and times', async () => {
  const acme = await tenant()
  const first = await createPath(acme)
  const path = await createPath(acme, {
    ordering: 'free',
    modules: [
      textModule,
      { ...textModule, unlock_after_days: 2 },
      { ...textModule, unlock_at: '2199-01-01T00:00:00Z' },
    ],
    prerequisite_path_ids: [first.id],
  })
  const dependent = await addModule(acme.manager, path.url, {
    ...textModule,
    prerequisite_module_ids: [path.modules[0]!.id],
  })
  const enrollment = await enroll(acme.member, path)
  const reasons = async () =>
    (await acme.member.get(enrollment.url)).body.modules.map(({ locked_by }: { locked_by: { reason: string }[] }) =>
      locked_by.map(({ reason }) => reason).join(),
    )

  const before = await reasons()
  const refused = await complete(acme.member, enrollment, path.modules[0]!)
  await complete(acme.member, await enroll(acme.member, first), first.modules[0]!)
  const between = await reasons()
  await complete(acme.member, enrollment, path.modules[0]!)

  assert.deepEqual(before, [
    'prerequisite_path',
    'prerequisite_path,not_yet',
    'prerequisite_path,not_yet',
    'prerequisite_module,prerequisite_path',
  ])
  assert.deepEqual([refused.status, refused.body.code], [409, 'module_locked'])
  assert.deepEqual(between, ['', 'not_yet', 'not_yet', 'prerequisite_module'])
  assert.deepEqual(await reasons(), ['', 'not_yet', 'not_yet', ''])
  assert.equal((await complete(acme.member, enrollment, dependent)).status, 200)
})

test('enablement-5-12 a removed module completes the enrollments that lack only it, with one certificate', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { modules: [textModule, textModule], certificate: { enabled: true } })
  const [first, second] = path.modules as [never, never] as [{ id: string }, { url: string }]
  const [enrollment, other] = [await enroll(acme.member, path), await enroll(acme.manager, path)]
  await complete(acme.member, enrollment, first)

  assert.equal((await acme.manager.delete(second.url)).status, 204)
  const { body } = await waitForValue(
    () => acme.member.get(enrollment.url),
    (response) => response.body.status === 'completed',
  )
  await acme.sql(
    `update enablement.learning_enrollments set status = 'in_progress', completed_at = null where id = $1`,
    [enrollment.id],
  )
  await inTenant(services.db, systemActor(acme.id), (tx) => enqueue(tx, completeEnrollmentsJob, { path_id: path.id }))
  await waitForValue(
    () => acme.member.get(enrollment.url),
    (response) => response.body.status === 'completed',
  )

  assert.equal(body.progress_rate, 1)
  assert.equal(body.modules.length, 1)
  const certificates = () =>
    acme.sql('select enrollment_id from enablement.certificates where tenant_id = $1', [acme.id])
  assert.deepEqual((await certificates()).rows, [{ enrollment_id: enrollment.id }])
  assert.deepEqual((await acme.manager.delete(path.modules[0]!.url)).body.code, 'last_required_module')
  assert.equal((await acme.manager.get(other.url)).body.status, 'not_started')
})

test('a new module changes the progress of open enrollments unless it is for new ones', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { modules: [textModule, textModule, textModule, textModule], ordering: 'free' })
  const enrollment = await enroll(acme.member, path)
  for (const module of path.modules.slice(0, 3)) await complete(acme.member, enrollment, module)
  const progress = async () => {
    const { progress_rate, updates_available } = (await acme.member.get(enrollment.url)).body
    return [progress_rate, updates_available]
  }

  const before = await progress()
  await addModule(acme.manager, path.url, { ...textModule, apply_to: 'new' })
  const withNew = await progress()
  await addModule(acme.manager, path.url, { ...textModule, position: 1 })
  const withOpen = await progress()

  assert.deepEqual(
    [before, withNew, withOpen],
    [
      [0.75, false],
      [0.75, true],
      [0.6, true],
    ],
  )
  const { body } = await acme.member.get(enrollment.url)
  assert.deepEqual(
    body.modules.map(({ position }: { position: number }) => position),
    [1, 2, 3, 4, 5],
  )
  assert.equal((await acme.manager.get(path.url)).body.modules.length, 6)
})

test('a path is published only with complete modules, and keeps a required one', async () => {
  const acme = await tenant()
  const empty = await createPath(acme, { modules: [], status: 'draft' })
  const draftItem = await acme.manager.post('/api/enablement/content/', { title: 'Draft', type: 'document' })
  const path = await createPath(acme, {
    status: 'draft',
    modules: [{ kind: 'content', content_item_id: draftItem.body.id }, { kind: 'quiz' }],
  })
  const publish = async (url: string) => {
    const { status, body } = await acme.manager.patch(url, { status: 'published' })
    return [status, body.code, body.problems?.length]
  }

  assert.deepEqual(await publish(empty.url), [409, 'not_publishable', 1])
  assert.deepEqual(await publish(path.url), [409, 'not_publishable', 2])
  await acme.manager.patch(path.modules[0]!.url, { content_item_id: null, body: 'Read this.' })
  await acme.manager.patch(path.modules[1]!.url, { quiz: { questions: oneQuestion } })
  assert.deepEqual(await publish(path.url), [200, undefined, undefined])
  const incomplete = await acme.manager.post(`${path.url}/modules`, { title: 'Quiz', kind: 'quiz' })
  assert.deepEqual([incomplete.status, incomplete.body.code], [409, 'not_publishable'])
  assert.equal((await acme.manager.patch(path.modules[0]!.url, { is_required: false })).status, 200)
  const last = await acme.manager.patch(path.modules[1]!.url, { is_required: false })
  assert.deepEqual([last.status, last.body.code], [409, 'last_required_module'])
  assert.deepEqual((await acme.manager.patch(path.url, { status: 'draft' })).body.code, 'invalid_transition')
})

test('modules are reordered, and a list that lacks one is outdated', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { modules: [textModule, textModule, textModule], ordering: 'free' })
  const enrollment = await enroll(acme.member, path)
  const ids = path.modules.map(({ id }) => id)
  const order = [ids[2]!, ids[0]!, ids[1]!]

  const stale = await acme.manager.patch(path.url, { module_order: ids.slice(1) })
  const { body } = await acme.manager.patch(path.url, { module_order: order })

  assert.deepEqual([stale.status, stale.body.code, stale.body.current_item_ids], [409, 'stale_order', ids])
  assert.deepEqual(
    body.modules.map(({ id }: { id: string }) => id),
    order,
  )
  assert.deepEqual(
    (await acme.member.get(enrollment.url)).body.modules.map(({ module_id }: { module_id: string }) => module_id),
    order,
  )
})

test('the kind decides about the fields of a module', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { status: 'draft' })
  const codeOf = async (fields: object) => {
    const { status, body } = await acme.manager.post(`${path.url}/modules`, { title: 'Module', ...fields })
    return [status, body.errors?.[0].path, body.errors?.[0].code]
  }

  assert.deepEqual(await codeOf({ kind: 'content' }), [422, '/content_item_id', 'required'])
  assert.deepEqual(await codeOf({ kind: 'video', body: 'Text' }), [422, '/content_item_id', 'required'])
  assert.deepEqual(await codeOf({ kind: 'roleplay' }), [422, '/scenario_id', 'required'])
  assert.deepEqual(await codeOf({ kind: 'pitch' }), [422, '/prompt_id', 'required'])
  assert.deepEqual(await codeOf({ kind: 'assignment' }), [422, '/assignment', 'required'])
  assert.deepEqual(await codeOf({ kind: 'quiz', body: 'Text' }), [422, '/body', 'not_allowed'])
  assert.deepEqual(await codeOf({ ...textModule, min_seconds: 5 }), [422, '/min_seconds', 'not_allowed'])
  assert.deepEqual(await codeOf({ kind: 'content', content_item_id: newId() }), [
    422,
    '/content_item_id',
    'unknown_reference',
  ])
  const draws = [{ bank_id: newId(), count: 1 }]
  assert.deepEqual(await codeOf({ kind: 'quiz', quiz: { draws } }), [422, '/quiz/draws/0/bank_id', 'unknown_reference'])
  const passing_points = { instructions: 'Plan.', max_points: 10 }
  assert.deepEqual((await codeOf({ kind: 'assignment', assignment: passing_points }))[2], 'maximum')
  const changed = await acme.manager.patch(path.modules[0]!.url, {
    kind: 'assignment',
    assignment: { instructions: 'Plan.' },
  })
  assert.deepEqual([changed.status, changed.body.kind, changed.body.body], [200, 'assignment', null])
})
