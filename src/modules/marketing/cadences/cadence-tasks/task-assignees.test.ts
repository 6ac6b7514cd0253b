import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForValue } from '#testing'
import { cadenceActions } from '../cadence-sending/cadence-runs.fixture.ts'

const app = await startTestApp()
const acme = await app.tenant()
const actions = cadenceActions(app, acme)
const { createCadence, createLead, enroll, runDue, findEnrollment } = actions
await actions.setSending({})
await app.startTestWorker()
const url = '/api/cadences/tasks'

type User = typeof acme.member
type Task = { activity_id: string; enrollment_id: string; assignee_id: string }

const listTasks = async (by: User): Promise<Task[]> => (await by.get(`${url}?limit=100`)).body.items
const holdersOf = async (activityId: string, users: readonly User[]) => {
  const holders: string[][] = []
  for (const user of users) {
    const { items: open } = (await user.get('/api/activities?limit=100')).body
    const isOpen = open.some(({ id }: { id: string }) => id === activityId)
    const isListed = (await listTasks(user)).some(({ activity_id }) => activity_id === activityId)
    holders.push([...(isOpen ? ['timeline'] : []), ...(isListed ? ['cadences'] : [])])
  }
  return holders
}

/** A task of the member, and two colleagues. */
async function newTask() {
  const users = [acme.member, await acme.person('member'), await acme.person('member')] as const
  const cadence = await createCadence([{ type: 'task' }, { delay_days: 1 }])
  const lead = await createLead({})
  const [enrollmentId] = await enroll(cadence, [lead])
  await runDue()
  const task = (await listTasks(acme.member)).find(({ enrollment_id }) => enrollment_id === enrollmentId)!
  const activityUrl = `/api/leads/${lead.id}/activities/${task.activity_id}`
  return { users, cadence, lead, enrollmentId: enrollmentId!, id: task.activity_id, activityUrl }
}
const give = async (by: User, activityUrl: string, to: User | null) =>
  assert.equal((await by.patch(activityUrl, { assignee_id: to?.userId ?? null })).status, 200)
const both = ['timeline', 'cadences']

test('a task that is given to a colleague is in the lists of the colleague, who completes it', async () => {
  const { users, id, activityUrl, enrollmentId, cadence } = await newTask()
  const [sender, colleague, other] = users
  const complete = (by: User, verb = 'complete') =>
    by.post(`${url}/${id}/${verb}`, verb === 'complete' ? {} : undefined)

  await give(sender, activityUrl, colleague)
  const given = await holdersOf(id, users)
  const refused = [await complete(sender), await complete(sender, 'skip'), await complete(other)]
  await give(sender, activityUrl, null)
  const withoutAssignee = await holdersOf(id, users)
  await give(acme.manager, activityUrl, colleague)
  const completed = await complete(colleague)

  assert.deepEqual(given, [[], both, []])
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 403],
  )
  assert.deepEqual(withoutAssignee, [['cadences'], [], []], 'a task without an assignee is a task of the sender')
  assert.deepEqual([completed.status, completed.body.state], [200, 'done'])
  assert.equal((await findEnrollment(enrollmentId)).current_step_id, cadence.stepIds[1])
  assert.deepEqual(await holdersOf(id, users), [[], [], []])
  assert.equal((await complete(sender)).status, 409)
})

test('the assignee completes a task in the timeline and changes nothing else of it', async () => {
  const { users, id, activityUrl, enrollmentId, cadence } = await newTask()
  const [sender, colleague, other] = users
  await give(sender, activityUrl, colleague)
  const completion = { completed_at: app.clock.now().toISOString(), body: 'Done' }

  const refused = [
    await other.patch(activityUrl, completion),
    await colleague.patch(activityUrl, { ...completion, assignee_id: other.userId }),
    await colleague.delete(activityUrl),
  ]
  const completed = await colleague.patch(activityUrl, completion)

  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 403],
  )
  assert.equal(completed.status, 200)
  assert.deepEqual(await holdersOf(id, users), [[], [], []])
  assert.equal((await findEnrollment(enrollmentId)).current_step_id, cadence.stepIds[1])
})

test('a task that the timeline of the account changes follows, too', async () => {
  const { body: account } = await acme.member.post('/api/accounts/', { name: 'Initech', domain: 'initech.example' })
  const { body: contact } = await acme.member.post('/api/contacts/', { last_name: 'Moss', account_id: account.id })
  const cadence = await createCadence([{ type: 'task' }, { delay_days: 1 }])
  const enrolled = await acme.member.post(`/api/cadences/${cadence.id}/enrollments`, { contact_ids: [contact.id] })
  assert.equal(enrolled.body.enrolled, 1)
  await runDue()
  const tasks = await listTasks(acme.member)
  const { activity_id: id } = tasks.at(-1)!
  const colleague = await acme.person('member')
  const activityUrl = `/api/accounts/${account.id}/activities/${id}`

  await give(acme.member, activityUrl, colleague)
  const given = await holdersOf(id, [acme.member, colleague])
  const completed = await colleague.patch(activityUrl, { completed_at: app.clock.now().toISOString() })

  assert.deepEqual(given, [[], both])
  assert.equal(completed.status, 200)
  const [enrollment] = (await acme.member.get(`/api/cadences/${cadence.id}/enrollments`)).body.items
  assert.equal(enrollment.current_step_id, cadence.stepIds[1])
})

test('a new sender gets the tasks of the former one, and those of colleagues who are not active', async () => {
  const [own, given, left] = [await newTask(), await newTask(), await newTask()]
  const [colleague, leaving, successor] = [given.users[1], left.users[1], own.users[1]]
  await give(acme.member, given.activityUrl, colleague)
  await give(acme.member, left.activityUrl, leaving)
  await acme.sql(`update identity.users set status = 'deactivated' where id = $1`, [leaving.userId])
  for (const { cadence, enrollmentId } of [own, given, left]) {
    const change = { sender_id: successor.userId }
    const changed = await acme.manager.patch(`/api/cadences/${cadence.id}/enrollments/${enrollmentId}`, change)
    assert.equal(changed.status, 200)
  }
  const users = [acme.member, colleague, successor]

  assert.deepEqual(await holdersOf(own.id, users), [[], [], both])
  assert.deepEqual(await holdersOf(given.id, users), [[], both, []])
  assert.deepEqual(await holdersOf(left.id, users), [[], [], both])
  const completion = { completed_at: app.clock.now().toISOString() }
  assert.equal((await acme.member.patch(own.activityUrl, completion)).status, 403, 'the former sender')
  assert.equal((await successor.patch(own.activityUrl, completion)).status, 200)
  assert.equal((await colleague.post(`${url}/${given.id}/complete`, {})).status, 200)
})

test('tasks that were given to a user who is deactivated go to the successor, or back to the sender', async () => {
  const [one, two] = [await newTask(), await newTask()]
  const [leaving, successor] = [one.users[1], two.users[1]]
  const deactivate = async ({ userId }: User, more: object = {}) =>
    assert.equal((await acme.admin.patch(`/api/users/${userId}`, { status: 'deactivated', ...more })).status, 200)
  const users = [acme.member, successor]
  const waitForHolders = async (id: string, expected: string[][]) =>
    waitForValue(
      () => holdersOf(id, users),
      (holders) => JSON.stringify(holders) === JSON.stringify(expected),
    )

  await give(acme.member, one.activityUrl, leaving)
  await deactivate(leaving, { reassign_to_user_id: successor.userId })
  await waitForHolders(one.id, [[], both])
  await give(acme.member, two.activityUrl, successor)
  await deactivate(successor)
  const backAt = [both]
  await waitForValue(
    () => holdersOf(two.id, [acme.member]),
    (holders) => JSON.stringify(holders) === JSON.stringify(backAt),
  )
  assert.deepEqual(await holdersOf(one.id, [acme.member]), backAt)
})

test('a task that is given away and completed at the same time has one result', async () => {
  const { users, id, activityUrl, enrollmentId, cadence } = await newTask()
  const [sender, colleague] = users

  const [given, completed] = await Promise.all([
    sender.patch(activityUrl, { assignee_id: colleague.userId }),
    sender.post(`${url}/${id}/complete`, {}),
  ])

  assert.equal(given.status, 200)
  assert.ok([200, 403].includes(completed.status), `${completed.status}`)
  const isDone = completed.status === 200
  assert.deepEqual(await holdersOf(id, users), isDone ? [[], [], []] : [[], both, []])
  assert.equal((await findEnrollment(enrollmentId)).current_step_id, cadence.stepIds[isDone ? 1 : 0])
})
