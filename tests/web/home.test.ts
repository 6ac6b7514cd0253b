import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestUser, waitUntil } from '#testing'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

async function createLead(user: TestUser, name: string) {
  const [first_name, last_name] = name.split(' ')
  const email = `${first_name}@${last_name}.example`.toLowerCase()
  const { body } = await user.post('/api/leads/', { first_name, last_name, email, owner_id: user.userId })
  return body
}

async function createTask(user: TestUser, lead: { id: string }, subject: string, due_at: string) {
  const task = { type: 'task', subject, due_at, assignee_id: user.userId }
  const { status, body } = await user.post(`/api/leads/${lead.id}/activities`, task)
  assert.equal(status, 201)
  return body
}

test('the queue of a user is one list by due time, and s starts with its first entry', async () => {
  const acme = await tenant()
  const { member } = acme
  const lead = await createLead(member, 'Camille Laurent')
  const agenda = await createTask(member, lead, 'Confirm the agenda', hoursFromNow(500))
  await createTask(member, lead, 'Send the security paper', hoursFromNow(-30))
  const contact = (await member.post('/api/contacts/', { last_name: 'Merino' })).body
  const plan = { type: 'task', subject: 'Plan the visit', due_at: hoursFromNow(-40), assignee_id: member.userId }
  await member.post(`/api/contacts/${contact.id}/activities`, plan)
  await acme.sql(`update identity.users set timezone = 'Asia/Tokyo' where id = $1`, [member.userId])
  const { page, errors } = await openSignedIn(acme, member)

  const rows = page.getByRole('region', { name: 'Next up' }).getByRole('listitem')
  await rows.first().waitFor()
  const texts = await rows.allTextContents()
  assert.deepEqual(
    ['Plan the visit', 'Send the security paper', 'Camille Laurent', 'Confirm the agenda'].map((text) =>
      texts.findIndex((row) => row.startsWith(text)),
    ),
    [0, 1, 2, 3],
  )
  assert.equal(await rows.first().getByRole('link').first().getAttribute('href'), `/contacts/${contact.id}`)
  assert.match(texts[1]!, /1 d late/)
  const inTokyo = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const
  await rows.getByTitle(new Intl.DateTimeFormat('en', inTokyo).format(new Date(agenda.due_at))).waitFor()
  await page.getByText('One lead waits for a first response.').waitFor()
  assert.match(await page.title(), /^Home – /)

  await page.keyboard.press('s')
  await page.waitForURL(new RegExp(`/contacts/${contact.id}`))
  assert.deepEqual(errors, [])
})

test('a task is done with one key and can be reopened', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Anna Keller')
  const task = await createTask(acme.member, lead, 'Send the offer', hoursFromNow(-1))
  const { page, errors } = await openSignedIn(acme, acme.member)
  const completedAt = async () =>
    (await acme.sql('select completed_at from crm.activities where tenant_id = $1 and id = $2', [acme.id, task.id]))
      .rows[0].completed_at

  await page.getByRole('button', { name: 'Done: Send the offer' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('“Send the offer” is done.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Done: Send the offer' }).count(), 0)
  assert.notEqual(await completedAt(), null)

  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Done: Send the offer' }).waitFor()
  await waitUntil(async () => (await completedAt()) === null)
  assert.deepEqual(errors, [])
})

test('a task that another user changed stays in the queue', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Kenji Tanaka')
  const task = await createTask(acme.member, lead, 'Call finance', hoursFromNow(-1))
  const { page } = await openSignedIn(acme, acme.member)
  await page.getByRole('button', { name: 'Done: Call finance' }).waitFor()
  await acme.admin.patch(`/api/leads/${lead.id}/activities/${task.id}`, { subject: 'Call the CFO' })

  await page.getByRole('button', { name: 'Done: Call finance' }).click()

  await page.getByText('Another user changed this record. Load it again.').waitFor()
  await page.getByRole('button', { name: 'Done: Call the CFO' }).waitFor()
})

test('a viewer sees the queue without actions', async () => {
  const acme = await tenant()
  const { body: lead } = await acme.admin.post('/api/leads/', {
    first_name: 'Omar',
    email: 'omar@hassan.example',
    owner_id: acme.viewer.userId,
  })
  await acme.admin.post(`/api/leads/${lead.id}/activities`, {
    type: 'task',
    subject: 'Read the notes',
    due_at: hoursFromNow(-1),
    assignee_id: acme.viewer.userId,
  })
  const { page } = await openSignedIn(acme, acme.viewer)

  await page.getByRole('link', { name: 'Read the notes' }).waitFor()

  assert.equal(await page.getByRole('button', { name: /^Done/ }).count(), 0)
  assert.equal(await page.getByRole('link', { name: /^Call/ }).count(), 0)
})

test('an admin of an empty workspace is offered sample data, a member sees that nothing is due', async () => {
  const acme = await tenant()
  const admin = await openSignedIn(acme, acme.admin)
  const member = await openSignedIn(acme, acme.member, phone)

  const link = admin.page.getByRole('link', { name: 'Load sample data' })
  await link.waitFor()
  assert.equal(await link.getAttribute('href'), '/settings/sample-data')
  await member.page.getByRole('heading', { name: 'Nothing is due' }).waitFor()
  assert.equal(await member.page.getByText('Load sample data').count(), 0)
  assert.deepEqual([...admin.errors, ...member.errors], [])
})

test('a phone shows the queue, and a failed request can be repeated', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Rachel Bennett')
  await createTask(acme.member, lead, 'Prepare the workshop with all departments', hoursFromNow(-1))
  const { page, context } = await openSignedIn(acme, acme.member, { ...phone, colorScheme: 'dark', path: '/leads' })
  await context.route('**/api/home', (route) =>
    route.fulfill({ status: 403, contentType: 'application/problem+json', body: '{"code":"other","status":403}' }),
  )
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByText('You cannot see Home').waitFor()
  await context.unroute('**/api/home')
  await page.reload()

  await page.getByRole('button', { name: /^Done/ }).waitFor()
})

test('a manager without leads sees the figures of the team, in the places that the page had before', async () => {
  const acme = await tenant()
  await createLead(acme.member, 'Camille Laurent')
  await createLead(acme.member, 'Anna Keller')
  const { page, context, errors } = await openSignedIn(acme, acme.manager, { path: '/inbox' })
  const answers = Promise.withResolvers<void>()
  await context.route('**/api/home', (route) => answers.promise.then(() => route.continue()))
  await page.getByRole('link', { name: 'Home' }).click()
  const card = page.locator('[class*=columns] > [class*=card]')
  await card.waitFor()
  const before = await card.boundingBox()
  answers.resolve()

  const figures = page.getByLabel('Figures of the team')
  await figures.getByText('Open leads of the team').waitFor()
  assert.match((await figures.textContent())!, /Open leads of the team22 wait for a first response/)
  await page.getByRole('heading', { name: 'Next up' }).waitFor()
  const after = await card.boundingBox()
  assert.deepEqual([after!.x, after!.width], [before!.x, before!.width])
  assert.ok(Math.abs(after!.y - before!.y) < 8, `the card moved from ${before!.y} to ${after!.y}`)
  assert.deepEqual(errors, [])
})

test('a due time is stored and shown as typed, in the zone of the profile and not in that of the browser', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Kenji Tanaka')
  await acme.sql(`update identity.users set timezone = 'America/Los_Angeles' where id = $1`, [acme.member.userId])
  const browser = { path: `/leads?open=${lead.id}&compose=task`, timezoneId: 'Asia/Kathmandu' }
  const { page, errors } = await openSignedIn(acme, acme.member, browser)
  const panel = page.getByRole('region', { name: 'Kenji Tanaka' })
  await panel.getByRole('textbox', { name: 'What is to be done?' }).fill('Call after the change of the clocks')
  await panel.getByLabel('Due').fill('2030-03-10T09:30')
  await panel.getByRole('button', { name: 'Save' }).click()

  await panel.getByRole('listitem').filter({ hasText: 'Call after the change' }).getByText('9:30').first().waitFor()
  const { body } = await acme.member.get(`/api/leads/${lead.id}/activities?type=task`)
  assert.equal(body.items[0].due_at, '2030-03-10T16:30:00.000Z')
  assert.deepEqual(errors, [])
})
