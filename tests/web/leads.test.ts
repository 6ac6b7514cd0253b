import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { emailStep, enroll, newActiveCadence } from '../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import { createLead, getLead, grid, panelOf, pressKeys, rowOf, tabTo, waitForRows } from './lead-pages.ts'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const names = ['Anna Keller', 'Kenji Tanaka', 'Camille Laurent', 'Rachel Bennett', 'Omar Hassan']

test('a seller works five leads by keyboard: open, log a call, next', async () => {
  const acme = await tenant()
  for (const name of names) await createLead(acme.member, name)
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/leads' })
  await waitForRows(page)
  const rowTexts = await grid(page).getByRole('row').allTextContents()
  const order = rowTexts.flatMap((text) => names.filter((name) => text.includes(name)))
  assert.equal(order.length, names.length)

  await page.keyboard.press('Enter')
  for (const name of order) {
    await panelOf(page, name).getByRole('heading', { name }).waitFor()
    await page.keyboard.press('l')
    await page.getByRole('textbox', { name: 'What was said?' }).waitFor()
    await page.keyboard.type(`Talked with ${name}.`)
    await page.keyboard.press('Control+Enter')
    await panelOf(page, name)
      .getByRole('listitem')
      .filter({ hasText: `Talked with ${name}.` })
      .waitFor()
    await panelOf(page, name).getByRole('button', { name: 'Status Contacted, change' }).waitFor()
    await page.keyboard.press('j')
  }

  const { body } = await acme.member.get('/api/leads/?owner_id=me&status=contacted')
  assert.equal(body.total, names.length)
  assert.deepEqual(errors, [])
})

test('a lead is created and edited by keyboard', async () => {
  const acme = await tenant()
  await createLead(acme.member, 'Mei Chen')
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/leads' })
  await waitForRows(page)

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New lead' })
  await dialog.waitFor()
  await page.keyboard.type('mei.chen@chen.example')
  await page.keyboard.press('Tab')
  await dialog.getByText('A lead with this email address exists:').waitFor()
  await pressKeys(page, 'Shift+Tab', 'Shift+Tab', 'Control+a')
  await tabTo(page, 'Email')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('priya.nair@brightwater.example')
  await tabTo(page, 'Last name')
  await page.keyboard.type('Nair')
  await page.keyboard.press('Enter')
  await panelOf(page, 'Nair').waitFor()

  await page.keyboard.press('e')
  await pressKeys(page, 'Enter')
  await page.keyboard.type('Priya')
  await page.keyboard.press('Enter')
  await panelOf(page, 'Priya Nair').getByRole('heading', { name: 'Priya Nair' }).waitFor()
  await tabTo(page, 'Edit Title')
  await page.keyboard.press('Enter')
  await page.keyboard.type('VP Sales')
  await page.keyboard.press('Enter')
  await waitUntil(async () => (await acme.member.get('/api/leads/?search=priya')).body.items[0]?.title === 'VP Sales')
  await rowOf(page, 'Priya Nair').waitFor()
  assert.deepEqual(errors, [])
})

test('the draft of a new lead survives a reload, and a wrong value is explained at its field', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.member, { path: '/leads' })
  await page.getByRole('heading', { name: 'Your queue is empty' }).waitFor()

  await page.keyboard.press('c')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('omar@localhost')
  await tabTo(page, 'Last name')
  await page.keyboard.type('Hassan')
  await page.reload()
  await page.getByRole('heading', { name: 'Your queue is empty' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New lead' })
  assert.equal(await dialog.getByLabel('Last name').inputValue(), 'Hassan')
  await tabTo(page, 'Create lead')
  await page.keyboard.press('Enter')

  await waitUntil(async () => (await dialog.getByLabel('Email').getAttribute('aria-invalid')) === 'true')
  assert.equal(await dialog.getByLabel('Last name').inputValue(), 'Hassan')
})

test('selected leads are assigned, set to a status and deleted together, and a deletion is undone', async () => {
  const acme = await tenant()
  const leads = await Promise.all(names.map((name) => createLead(acme.manager, name)))
  const { page, errors } = await openSignedIn(acme, acme.manager, { path: '/leads' })
  await waitForRows(page)

  await pressKeys(page, 'x', 'j', 'j', 'Shift+X')
  await page.getByRole('region', { name: 'Selected leads' }).getByText('3 leads selected').waitFor()
  await page.keyboard.press('3')
  await page.getByRole('dialog', { name: 'Set the status of 3 leads to Working' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Status of 3 leads set.').waitFor()
  const statuses = await Promise.all(leads.map(async (lead) => (await getLead(acme.manager, lead)).status))
  assert.deepEqual(statuses.sort(), ['new', 'new', 'working', 'working', 'working'])

  await page.keyboard.press('Control+a')
  await page.getByText('5 leads selected').waitFor()
  await page.keyboard.press('a')
  await page.getByRole('dialog', { name: 'Assign 5 leads to' }).waitFor()
  await page.getByRole('option', { name: 'No owner' }).waitFor()
  await pressKeys(page, 'ArrowDown', 'Enter')
  await page.getByText('5 leads assigned.').waitFor()
  await page.getByRole('heading', { name: 'Your queue is empty' }).waitFor()

  await page.getByRole('link', { name: 'Show unassigned leads' }).focus()
  await page.keyboard.press('Enter')
  await waitForRows(page)
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('5 leads deleted.').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('5 leads restored.').waitFor()
  await rowOf(page, 'Anna Keller').waitFor()
  assert.deepEqual(errors, [])
})

test('a bulk action names the leads that it could not change, and why', async () => {
  const acme = await tenant()
  await createLead(acme.member, 'Lukas Vogel')
  await createLead(acme.member, 'Elena Navarro', { status: 'working' })
  const { page } = await openSignedIn(acme, acme.member, { path: '/leads' })
  await waitForRows(page)

  await page.keyboard.press('Control+a')
  await page.getByText('2 leads selected').waitFor()
  await page.keyboard.press('1')
  await page.getByRole('dialog', { name: 'Set the status of 2 leads to New' }).waitFor()
  await page.keyboard.press('Enter')

  const dialog = page.getByRole('dialog', { name: '1 of 2 leads were not changed' })
  await dialog.getByText('The status cannot change from working to new.').waitFor()
  await dialog.getByRole('button', { name: 'Select these leads' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('1 lead selected').waitFor()
  assert.equal(await rowOf(page, 'Elena Navarro').getAttribute('aria-selected'), 'true')
})

test('a lead is converted into an account, a contact and a deal', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'James Porter', { company: 'Windmill Systems' })
  const { page, errors } = await openSignedIn(acme, acme.member, { path: `/leads?open=${lead.id}` })
  await panelOf(page, 'James Porter').getByText('Why this score').waitFor()

  await page.keyboard.press('Shift+C')
  const dialog = page.getByRole('dialog', { name: 'Convert James Porter' })
  await dialog.waitFor()
  await tabTo(page, 'Amount in')
  await page.keyboard.type('12000')
  await tabTo(page, 'Convert')
  await page.keyboard.press('Enter')

  const result = page.getByRole('dialog', { name: 'The lead was converted' })
  await result.waitFor()
  assert.deepEqual(await result.getByRole('link').allTextContents(), [
    'Windmill Systems',
    'James Porter',
    'Windmill Systems',
  ])
  await page.keyboard.press('Escape')
  const converted = panelOf(page, 'James Porter')
    .locator('div')
    .filter({ has: page.getByRole('heading', { name: 'Converted' }) })
    .last()
  const [account, contact, deal] = await Promise.all(
    ['Windmill Systems', 'James Porter', 'Windmill Systems'].map((name, at) =>
      converted
        .getByRole('link', { name })
        .nth(at === 2 ? 1 : 0)
        .getAttribute('href'),
    ),
  )
  assert.deepEqual(
    [account, contact, deal].map((path) => path?.split('/')[1]),
    ['accounts', 'contacts', 'deals'],
  )
  const email = converted.getByRole('link', { name: 'james.porter@porter.example' })
  assert.equal(await email.getAttribute('href'), 'mailto:james.porter%40porter.example')
  const { body } = await acme.member.get('/api/opportunities/')
  assert.deepEqual([body.items[0].name, body.items[0].amount.amount], ['Windmill Systems', '12000.00'])
  assert.deepEqual(errors, [])
})

test('a seller pauses, continues and ends the cadence of a lead by keyboard', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Anna Keller', { timezone: 'Asia/Tokyo' })
  const steps = [emailStep({ delay_days: 3 }), { type: 'call' }]
  const cadence = await newActiveCadence(acme, { name: 'Trade fair', steps })
  await enroll(acme, cadence.id, { lead_ids: [lead.id] })
  const { page, errors } = await openSignedIn(acme, acme.member, { path: `/leads?open=${lead.id}&tab=cadences` })
  const panel = panelOf(page, 'Anna Keller')
  await panel.getByText('Step 1 of 2').waitFor()
  await panel.getByText(/^Next step on .* \(Asia\/Tokyo\)$/).waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('Pause Trade fair')
  await page.getByRole('option', { name: 'Pause Trade fair' }).waitFor()
  await page.keyboard.press('Enter')
  await panel.getByText('Paused by a user').waitFor()
  await panel.getByRole('button', { name: 'Resume Trade fair' }).press('Enter')
  await panel.getByText('Next step on').waitFor()
  await panel.getByRole('button', { name: 'Remove from Trade fair' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Remove from Trade fair' })
  await dialog.getByText('Anna Keller gets no further').waitFor()
  await tabTo(page, 'Remove')
  await page.keyboard.press('Enter')

  await panel.getByText('Removed by a user').waitFor()
  assert.equal(await panel.getByRole('button', { name: 'Trade fair' }).count(), 0)
  const { body } = await acme.member.get(`/api/cadences/enrollments?lead_id=${lead.id}`)
  assert.deepEqual([body.items[0].status, body.items[0].exit_reason], ['exited', 'removed'])
  assert.deepEqual(errors, [])
})

test('a viewer sees leads without any action that writes', async () => {
  const acme = await tenant()
  const lead = await createLead(acme.member, 'Hannah Palmer', { tags: ['trade fair'] })
  const { page, errors } = await openSignedIn(acme, acme.viewer, { path: `/leads?open=${lead.id}&tab=details` })
  const panel = panelOf(page, 'Hannah Palmer')
  await panel.getByText('trade fair').waitFor()

  await pressKeys(page, 'x', 'c', 'a', '3', 'l')

  const writing =
    /New lead|Call|Email|Note|Task|Edit|Delete|Convert|Assign|Select|change$|Change the owner|Add a tag|Remove the tag/
  assert.deepEqual(await page.getByRole('button', { name: writing }).allTextContents(), [])
  assert.equal(await page.getByRole('checkbox').count(), 0)
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await page.getByRole('textbox', { name: 'What was said?' }).count(), 0)
  assert.equal((await getLead(acme.member, lead)).version, lead.version)
  assert.deepEqual(errors, [])
})

test('a seller on a phone opens a lead, logs a call and goes to the next one', async () => {
  const acme = await tenant()
  for (const name of names.slice(0, 2)) await createLead(acme.member, name)
  const { page, errors } = await openSignedIn(acme, acme.member, { ...phone, path: '/leads' })
  await waitForRows(page)
  const first = (await grid(page).getByRole('row').first().textContent())!
  const [name, next] = first.includes(names[0]!) ? [names[0]!, names[1]!] : [names[1]!, names[0]!]

  await rowOf(page, name).tap()
  const panel = panelOf(page, name)
  await panel.getByRole('button', { name: 'Call', exact: true }).first().tap()
  await page.getByRole('textbox', { name: 'What was said?' }).fill('Reached on the way.')
  await panel.getByRole('button', { name: 'Save' }).tap()
  await panel.getByRole('listitem').filter({ hasText: 'Reached on the way.' }).waitFor()
  await panel.getByRole('button', { name: 'Next record' }).tap()

  await panelOf(page, next).getByRole('heading', { name: next }).waitFor()
  await panelOf(page, next).getByRole('button', { name: 'Close' }).tap()
  await rowOf(page, next).waitFor()
  assert.deepEqual(errors, [])
})
