import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { waitUntil } from '#testing'
import { runCadences } from '../../../src/modules/marketing/cadences/cadence-sending/run-cadences.jobs.ts'
import {
  enroll,
  listEnrollments,
  newActiveCadence,
  newContact,
  newLead,
  updateCadence,
} from '../../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import { savePictures } from '../../pages/screenshots.ts'
import { findProblems } from '../check-page.ts'
import { createKeyboard } from '../keyboard/keyboard.ts'
import { createLead } from '../lead-pages.ts'
import { phone, startWeb, type Workspace } from '../web-pages.ts'
import { checkMerged, createConvertedLead, followByKeyboard, followByTouch } from './records-flow.ts'
import { createTask, hours, readTask } from './task-pages.ts'

const { tenant, openSignedIn, db, services } = await startWeb()
const desktop = { viewport: { width: 1440, height: 900 } }

/** Enrolls persons in a cadence that is due at any time, and creates the tasks of its first step. */
async function createCadenceTasks(acme: Workspace, step: object, persons: object) {
  const window = { days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }
  const cadence = await newActiveCadence(acme, { name: 'Trade fair', steps: [step, { type: 'task', delay_days: 9 }] })
  await updateCadence(acme, cadence.id, { window })
  await enroll(acme, cadence.id, { ...persons, sender_id: acme.member.userId })
  const { signal } = new AbortController()
  await runCadences(services, { inTenant: (work) => inTenant(db, systemActor(acme.id), work), signal })
  return cadence
}

const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })
const group = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) })

test('tasks are moved and done by keyboard, and one that is done can be reopened', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Anna Keller')
  await createTask(acme.member, lead, 'Send the offer', hours(-30))
  await createTask(acme.member, lead, 'Prepare the <b>workshop</b>', hours(-2))
  await createTask(acme.member, lead, 'Plan the visit', hours(24 * 20))
  await createTask(acme.member, lead, 'Read the report', null)
  const { page, errors } = await openSignedIn(acme, acme.member, desktop)
  const { press, see, use, type, choose } = createKeyboard(page)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))

  await see('All tasks')
  requests.length = 0
  await press('g', 't')
  await see('Late 2')
  assert.deepEqual(requests.filter((path) => path.startsWith('/api/')).toSorted(), [
    '/api/activities',
    '/api/cadences/tasks',
  ])
  assert.deepEqual(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents(), [
    'Late 2',
    'Later 1',
    'Without a date 1',
  ])
  await see('Prepare the <b>workshop</b>')
  await savePictures(page, 'market/tasks-few')

  await press('j', 'e')
  await see('“Send the offer” is done.')
  assert.notEqual((await readTask(acme, 'Send the offer')).completed_at, null)
  await waitUntil(
    async () => (await page.evaluate('document.activeElement.textContent')) === 'Prepare the <b>workshop</b>',
  )
  await press('Control+z')
  await group(page, 'Late').getByText('Send the offer').waitFor()
  assert.equal((await readTask(acme, 'Send the offer')).completed_at, null)

  await press('s')
  await see(/^The task is due on/)
  await group(page, 'Tomorrow').getByText('Prepare the <b>workshop</b>').waitFor()
  await press('Control+z')
  await see('The task is due as before.')
  await group(page, 'Late').getByText('Prepare the <b>workshop</b>').waitFor()

  await use('More for Plan the visit')
  await choose('Done with a result')
  await page.getByRole('dialog', { name: 'What is the result?' }).waitFor()
  await type('Booked for May')
  await press('Escape')
  await use('More for Plan the visit')
  await choose('Done with a result')
  await page.getByRole('dialog', { name: 'What is the result?' }).waitFor()
  await press('Enter')
  await see('“Plan the visit” is done.')
  assert.equal((await readTask(acme, 'Plan the visit')).outcome, 'Booked for May')
  assert.deepEqual(errors, [])
})

test('calls and emails of a cadence are done by keyboard, and its persons continue', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, { first_name: 'Priya', last_name: 'Nair' })
  const call = await createCadenceTasks(
    acme,
    { type: 'call', instructions: 'Ask for the process' },
    { lead_ids: [lead] },
  )
  const { page, errors } = await openSignedIn(acme, acme.member, { ...desktop, path: '/tasks' })
  const { press, see, type } = createKeyboard(page)

  await see('Trade fair, step 1')
  assert.equal(await page.getByRole('main').getByRole('listitem').count(), 1)
  await press('j', 'e')
  const dialog = page.getByRole('dialog', { name: 'How did the call go?' })
  await dialog.getByText('Ask for the process').waitFor()
  assert.deepEqual(await findProblems(dialog), [])
  await press('Tab')
  await type('Wants a demo in May.')
  await press('Tab', 'Tab', 'Enter')
  await see('Done. Priya Nair continues with the next step.')
  await see('No open tasks')
  const [enrollment] = await listEnrollments(acme, call.id)
  assert.equal(enrollment.current_step_id, call.steps[1].id)
  const { items } = (await acme.member.get(`/api/leads/${lead}/activities`)).body
  assert.partialDeepStrictEqual(
    items.find(({ type }: { type: string }) => type === 'call'),
    { outcome: 'connected', body: 'Wants a demo in May.' },
  )
  assert.deepEqual(errors, [])
})

test('the email of a step is written for its person, kept while it is not sent, and another task is skipped', async () => {
  const acme = await tenant()
  const email = {
    type: 'email_manual',
    subject_template: 'For {{ first_name }}',
    body_template: 'Hello {{ first_name }},\n\nshall we talk?',
  }
  const people = [
    await newContact(acme, { first_name: 'Sofia', last_name: 'Rossi' }),
    await newContact(acme, { first_name: 'Omar', last_name: 'Haddad' }),
  ]
  await createCadenceTasks(acme, email, { contact_ids: people })
  const { page, errors } = await openSignedIn(acme, acme.member, { ...desktop, path: '/tasks' })

  await page.getByRole('button', { name: 'Write to Sofia Rossi' }).click()
  const dialog = page.getByRole('dialog', { name: 'Email to Sofia Rossi' })
  const text = dialog.getByRole('textbox', { name: 'Text' })
  await waitUntil(async () => (await text.inputValue()) === 'Hello Sofia,\n\nshall we talk?')
  assert.equal(await dialog.getByLabel('Subject').inputValue(), 'For Sofia')
  assert.deepEqual(await findProblems(dialog), [])
  await savePictures(page, 'market/task-email')
  await text.fill('Hello Sofia, shall we talk on Monday?')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Write to Sofia Rossi' }).click()
  assert.equal(await text.inputValue(), 'Hello Sofia, shall we talk on Monday?')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('The email is being sent.').waitFor()
  await rowOf(page, 'Sofia Rossi').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Skip' }).click()
  const question = page.getByRole('dialog', { name: 'Skip this task?' })
  assert.deepEqual(await findProblems(question), [])
  await question.getByRole('button', { name: 'Skip' }).click()
  await page.getByText('Skipped. Omar Haddad continues with the next step.').waitFor()
  const { rows } = await acme.sql(
    'select body from marketing.cadence_step_runs where tenant_id = $1 and body is not null',
    [acme.id],
  )
  assert.deepEqual(rows, [{ body: 'Hello Sofia, shall we talk on Monday?' }])
  assert.deepEqual(errors, [])
})

test('a task is done on a phone by touch', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Anna Keller')
  await createTask(acme.member, lead, 'Send the offer', hours(-30))
  await createTask(acme.member, lead, 'Prepare the workshop', hours(24 * 9))
  const { page, errors } = await openSignedIn(acme, acme.member, { ...phone, path: '/tasks' })

  await page.getByText('Prepare the workshop').waitFor()
  await savePictures(page, 'market/tasks')
  await page.getByRole('button', { name: 'Done: Send the offer' }).tap()
  await page.getByText('“Send the offer” is done.').waitFor()
  await page.getByRole('button', { name: 'More for Prepare the workshop' }).tap()
  await page.getByRole('menuitem', { name: 'Other time' }).tap()
  const dialog = page.getByRole('dialog', { name: 'When is the task due?' })
  await dialog.getByLabel('Due').fill('2031-03-04T10:00')
  assert.deepEqual(await findProblems(dialog), [])
  await dialog.getByRole('button', { name: 'Save' }).tap()
  await page.getByText(/^The task is due on/).waitFor()

  assert.notEqual((await readTask(acme, 'Send the offer')).completed_at, null)
  assert.match((await readTask(acme, 'Prepare the workshop')).due_at.toISOString(), /^2031-03-04/)
  assert.deepEqual(errors, [])
})

test('two contacts are compared and merged by keyboard after a confirmation', async () => {
  const acme = await tenant()
  const create = async (contact: object) => {
    const { body } = await acme.manager.post('/api/contacts/', { first_name: 'Sofia', last_name: 'Rossi', ...contact })
    return body as { id: string }
  }
  const kept = await create({ email: 'sofia@northgate.example', title: 'Buyer <i>', country: 'IT' })
  const other = await create({
    email: 's.rossi@northgate.example',
    title: 'Head of Purchasing',
    phone: '+39 02 1234567',
  })
  const path = `/contacts/${kept.id}/merge?with=${other.id}`
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path })
  const { press, see, focus } = createKeyboard(page)

  await see('What happens')
  assert.deepEqual(await page.locator('fieldset legend').allTextContents(), ['Email', 'Phone', 'Title', 'Country'])
  await see('Buyer <i>')
  await savePictures(page, 'market/merge')
  await page.getByRole('radio', { name: 'Sofia Rossi: Buyer <i>' }).focus()
  await press('ArrowRight')
  await press('Control+Enter')
  const question = page.getByRole('dialog', { name: 'Merge these records?' })
  assert.deepEqual(await findProblems(question), [])
  await focus('Merge')
  await press('Enter')
  await see('Both are one record now: Sofia Rossi.')

  const merged = (await acme.manager.get(`/api/contacts/${kept.id}`)).body
  assert.partialDeepStrictEqual(merged, {
    email: 'sofia@northgate.example',
    title: 'Head of Purchasing',
    phone: '+39 02 1234567',
    country: 'IT',
  })
  assert.equal((await acme.manager.get(`/api/contacts/${other.id}`)).status, 404)
  assert.deepEqual(errors, [])
})

test('a lead is merged by keyboard and the merge is undone; a member merges own leads only', async () => {
  const acme = await tenant()
  const kept = await createLead(acme.member, 'Thomas Clarke', { city: 'Leeds' })
  const other = await createLead(acme.member, 'Tom Clarke', { city: 'York', company: 'Clarke Logistics' })
  const foreign = await createLead(acme.manager, 'Tim Clarke')
  const path = `/leads/${kept.id}/merge?with=${other.id}`
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path })
  const { press, see } = createKeyboard(page)

  await see('You can undo the merge for 30 days.')
  await page.getByRole('radio', { name: 'Tom Clarke: York' }).focus()
  await press('Space', 'Control+Enter')
  await see('Both are one record now: Thomas Clarke.')
  await waitUntil(async () => (await acme.manager.get(`/api/leads/${kept.id}`)).body.city === 'York')
  await press('Control+z')
  await see('The merge was undone.')
  assert.equal((await acme.manager.get(`/api/leads/${other.id}`)).status, 200)
  assert.deepEqual(errors, [])

  const member = await openSignedIn(acme, acme.member, {
    ...desktop,
    path: `/leads/${kept.id}/merge?with=${foreign.id}`,
  })
  await member.page.getByText('Only managers and the owner of both can merge them.').waitFor()
  assert.ok(await member.page.getByRole('button', { name: 'Merge' }).isDisabled())
})

test('a converted lead leads to its contact and account, a task is done and two contacts are merged by keyboard', async () => {
  const acme = await tenant()
  const records = await createConvertedLead(acme)
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path: `/leads/${records.lead}` })

  await followByKeyboard(page)
  await checkMerged(acme, records)
  assert.deepEqual(errors, [])
})

test('the same is done on a phone by touch', async () => {
  const acme = await tenant()
  const records = await createConvertedLead(acme)
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...phone, path: `/leads/${records.lead}` })

  await followByTouch(page)
  await checkMerged(acme, records)
  assert.deepEqual(errors, [])
})
