import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { savePictures } from '../../pages/screenshots.ts'
import { findProblems } from '../check-page.ts'
import { createKeyboard } from '../keyboard/keyboard.ts'
import { pressKeys } from '../lead-pages.ts'
import { phone, startWeb } from '../web-pages.ts'
import { create, grid, newContact, panelOf, rowOf } from './contact-pages.ts'
import { fillContact } from './contact-records.ts'

const { tenant, openSignedIn } = await startWeb()
const desktop = { viewport: { width: 1440, height: 900 } }

test('a contact is created after a warning, edited, moved to another stage, deleted and restored by keyboard', async () => {
  const acme = await tenant()
  const account_id = (await create(acme.member, '/api/accounts/', { name: 'Northgate <i>Energy</i>' })).id
  const sofia = await newContact(acme.member, 'Sofia Rossi', { account_id, lifecycle_stage: 'customer' })
  const { page, errors } = await openSignedIn(acme, acme.member, desktop)
  const { press, type, see, use, focus, choose, seeDialog, seeNoDialog } = createKeyboard(page)
  const read = async (id: string) => (await acme.member.get(`/api/contacts/${id}`)).body

  await press('g', 'c')
  await rowOf(page, 'Sofia Rossi').getByText('Northgate <i>Energy</i>').waitFor()
  await press('c')
  await seeDialog('New contact')
  await type('sofia.rossi@northgate.example')
  await press('Tab')
  await see('A similar contact exists:')
  assert.deepEqual(await findProblems(page.getByRole('dialog')), [])
  await savePictures(page, 'market/contact-create')
  await focus('Email')
  await press('Control+a')
  await type('omar@northgate.example')
  await focus('Last name')
  await type('Haddad')
  await press('Enter')
  await see('Omar')
  const omar = panelOf(page, 'Haddad')
  await omar.waitFor()
  assert.match(page.url(), /open=/)
  await press('Escape')

  await page.goto(`${new URL(page.url()).origin}/contacts/${sofia.id}`)
  await panelOf(page, 'Sofia Rossi').waitFor()
  await press('n')
  await type('Asked for 40 seats.')
  await press('Control+Enter')
  await see('Note saved.')
  await use('Edit Title')
  await type('Head of Purchasing')
  await press('Enter')
  await waitUntil(async () => (await read(sofia.id)).title === 'Head of Purchasing')
  await use('Stage Customer, change')
  await choose('Opportunity')
  await seeDialog('Why is the stage Opportunity?')
  await type('The contract has ended')
  await press('Enter')
  await waitUntil(async () => (await read(sofia.id)).lifecycle_stage === 'opportunity')
  await seeNoDialog()

  await use('More actions')
  await choose('Delete')
  await see('Sofia Rossi was deleted.')
  await press('Control+z')
  await see('Sofia Rossi was restored.')
  await acme.member.delete(`/api/contacts/${sofia.id}`)
  await page.goto(`${new URL(page.url()).origin}/contacts/${sofia.id}`)
  await see('This contact does not exist')
  await use('Restore')
  await panelOf(page, 'Sofia Rossi').waitFor()
  assert.equal((await read(sofia.id)).title, 'Head of Purchasing')
  assert.deepEqual(errors, [])
})

test('a consent is changed with its source, and a found value replaces that of the field', async () => {
  const acme = await tenant()
  const sofia = await newContact(acme.admin, 'Sofia Rossi', { title: 'Buyer' })
  await fillContact(acme, sofia.id)
  const path = `/contacts/${sofia.id}?tab=consent`
  const { page, errors } = await openSignedIn(acme, acme.admin, { ...desktop, path })
  const { press, type, see, use, focus, seeDialog, seeNoDialog } = createKeyboard(page)

  await see('Send me the news by email.')
  await savePictures(page, 'market/contact-consent')
  await use('Change the consent')
  await seeDialog('Change the consent')
  await focus('Marketing email')
  await press('U')
  await focus('How the person said so')
  await type('Letter of Monday')
  assert.deepEqual(await findProblems(page.getByRole('dialog')), [])
  await savePictures(page, 'market/contact-consent-dialog')
  await press('Enter')
  await seeNoDialog()
  await see('The consent was changed.')
  const { email_status } = (await acme.admin.get(`/api/contacts/${sofia.id}`)).body
  assert.equal(email_status, 'unsubscribed')

  await page.getByRole('tab', { name: 'Found values' }).focus()
  await press('Enter')
  await see('Head of Energy Purchasing')
  await savePictures(page, 'market/contact-found-values')
  await use('Accept the value of Title')
  await see('No provider has found other values.')
  assert.equal((await acme.admin.get(`/api/contacts/${sofia.id}`)).body.title, 'Head of Energy Purchasing')
  assert.deepEqual(errors, [])
})

test('contacts are tagged, opted out after a question, added to a campaign and deleted; a member deletes own ones only', async () => {
  const acme = await tenant()
  const own = await newContact(acme.member, 'Sofia Rossi')
  const foreign = await newContact(acme.manager, 'Omar Haddad')
  const campaign = await create(acme.manager, '/api/campaigns/', { name: 'Trade fair', type: 'event' })
  const { page, errors } = await openSignedIn(acme, acme.member, { ...desktop, path: '/contacts' })
  const { press, type, see, use, choose, seeDialog, seeNoDialog } = createKeyboard(page)
  const read = async ({ id }: { id: string }) => (await acme.member.get(`/api/contacts/${id}`)).body
  const select = async () => {
    await rowOf(page, 'Omar Haddad').waitFor()
    await pressKeys(page, 'Control+a')
    await see('2 contacts selected')
  }

  await select()
  assert.deepEqual(await findProblems(page.getByRole('region', { name: 'Selected contacts' })), [])
  await savePictures(page, 'market/contacts-selected')
  await use('Change the tags of the selected contacts')
  await choose('Add tags')
  await seeDialog('Add tags')
  await type('fair, north')
  await press('Enter')
  await see('Tags of 2 contacts added.')
  assert.deepEqual((await read(own)).tags, ['fair', 'north'])

  await select()
  await use('Add to a campaign or a cadence')
  await choose('Campaign')
  await seeDialog('Add 2 contacts to Campaign')
  await type('Trade')
  await page.getByRole('option', { name: 'Trade fair' }).waitFor()
  await press('Enter')
  await see('2 contacts added to the campaign.')
  const { body: members } = await acme.manager.get(`/api/campaigns/${campaign.id}/members`)
  assert.equal(members.items.length, 2)

  await select()
  await use('Opt out')
  await seeDialog('Opt out 2 contacts')
  assert.deepEqual(await findProblems(page.getByRole('dialog')), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Opt out 2 contacts' }).focus()
  await press('Enter')
  await see('2 contacts opted out.')
  assert.equal((await read(foreign)).email_status, 'unsubscribed')
  await seeNoDialog()

  await select()
  await use('Delete')
  await seeDialog('1 of 2 contacts were not changed')
  await press('Escape')
  await see('1 contact deleted.')
  await press('Control+z')
  await see('1 contact restored.')
  await rowOf(page, 'Sofia Rossi').waitFor()
  assert.equal((await acme.member.get(`/api/contacts/${foreign.id}`)).status, 200)
  assert.deepEqual(errors, [])
})

test('a bulk action on all contacts that match is a task, which is undone from below the page', async () => {
  const acme = await tenant()
  await acme.sql(
    `insert into crm.contacts (tenant_id, id, last_name, search_text, source, owner_id)
     select $1, gen_random_uuid(), 'Contact ' || n, '', 'web', $2 from generate_series(1, 201) n`,
    [acme.id, acme.manager.userId],
  )
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path: '/contacts' })
  const { press, see, use, seeDialog, type } = createKeyboard(page)
  const countDeleted = async () =>
    (await acme.sql('select from crm.contacts where tenant_id = $1 and deleted_at is not null', [acme.id])).rows.length

  await grid(page).getByRole('gridcell').first().waitFor()
  await press('Control+a')
  await use('Select all that match')
  await see('201 contacts selected')
  await use('Delete')
  await seeDialog('Delete 201 contacts')
  await type('201')
  await press('Enter')
  await see('201 contacts deleted.')
  assert.equal(await countDeleted(), 201)
  await page.getByRole('button', { name: 'Undo: Deleting 201 contacts' }).focus()
  await press('Enter')
  await see('201 contacts restored.')
  assert.equal(await countDeleted(), 0)
  assert.deepEqual(errors, [])
})

test('a viewer sees contacts without any action that writes', async () => {
  const acme = await tenant()
  const sofia = await newContact(acme.admin, 'Sofia Rossi')
  await fillContact(acme, sofia.id)
  const { page, errors } = await openSignedIn(acme, acme.viewer, { ...desktop, path: '/contacts' })
  const { see, press } = createKeyboard(page)
  const buttons = async () =>
    (await page.getByRole('main').getByRole('button').allTextContents()).filter((name) => name !== '')

  await rowOf(page, 'Sofia Rossi').waitFor()
  const ofList = await buttons()
  await press('c', 'Control+a')
  assert.equal((await page.getByRole('dialog').count()) + (await page.getByText('selected').count()), 0)
  assert.deepEqual(
    ofList.filter((name) => /New|Import|Export/.test(name)),
    [],
  )
  for (const tab of ['activity', 'details', 'consent', 'suggestions']) {
    await page.goto(`${new URL(page.url()).origin}/contacts?open=${sofia.id}&tab=${tab}`)
    await panelOf(page, 'Sofia Rossi').getByRole('tabpanel').waitFor()
    await waitUntil(async () => (await page.locator('main [aria-busy=true]').count()) === 0)
    assert.deepEqual(
      (await buttons()).filter((name) =>
        /^(Note|Call|Email|Task|Save|Change|Accept|Reject|Delete|Edit|Assign)/.test(name),
      ),
      [],
      tab,
    )
  }
  await see('Head of Energy Purchasing')
  assert.deepEqual(errors, [])
})

test('on a phone contacts are cards, and one is opened and called by touch', async () => {
  const acme = await tenant()
  const account_id = (await create(acme.member, '/api/accounts/', { name: 'Northgate Energy' })).id
  const sofia = await newContact(acme.member, 'Sofia Rossi', {
    account_id,
    title: 'Head of Purchasing',
    phone: '+39 02 1234567',
    lifecycle_stage: 'customer',
  })
  await newContact(acme.member, 'Omar Haddad', { lifecycle_stage: 'mql' })
  await fillContact({ ...acme, admin: acme.manager } as typeof acme, sofia.id)
  const { page, errors } = await openSignedIn(acme, acme.member, { ...phone, path: '/contacts' })

  await page.getByText('Head of Purchasing, Northgate Energy').waitFor()
  await savePictures(page, 'market/contacts')
  await page.getByText('Head of Purchasing, Northgate Energy').tap()
  await page.getByText('Asked for the price of 40 seats.').waitFor()
  await savePictures(page, 'market/contact')
  await page.getByRole('button', { name: 'Note' }).first().tap()
  await page.getByRole('textbox', { name: 'Write a note' }).fill('Calls back on Friday.')
  await page.getByRole('form').getByRole('button', { name: 'Save' }).tap()
  await page.getByRole('listitem').filter({ hasText: 'Calls back on Friday.' }).waitFor()
  assert.deepEqual(await findProblems(page), [])
  assert.deepEqual(errors, [])
})

test('pictures of the list and the page', { skip: !process.env.SCREENS && 'only with SCREENS' }, async () => {
  const acme = await tenant()
  const account_id = (await create(acme.manager, '/api/accounts/', { name: 'Northgate Energy' })).id
  const names = ['Paul Griffin', 'Julia Fontaine', 'Robert Hayes', 'Omar Haddad', 'Anna Keller', 'Sofia Rossi']
  const stages = ['subscriber', 'lead', 'mql', 'sql', 'opportunity', 'customer']
  let last = ''
  for (const [at, name] of names.entries())
    last = (
      await newContact(acme.manager, name, {
        lifecycle_stage: stages[at],
        title: 'Head of Purchasing',
        phone: '+49 30 2312512',
        tags: ['fair'],
        ...(at % 2 && { account_id }),
      })
    ).id
  await fillContact({ ...acme, admin: acme.manager } as typeof acme, last)
  const deal = await create(acme.manager, '/api/opportunities/', {
    name: 'Platform for all departments',
    account_id,
    close_on: '2031-03-04',
    amount: { amount: '92000', currency: 'EUR' },
  })
  await acme.manager.post(`/api/opportunities/${deal.id}/contacts`, { contact_id: last, role: 'champion' })
  const { page, origin } = await openSignedIn(acme, acme.manager, { ...desktop, path: '/contacts' })
  await rowOf(page, 'Sofia Rossi').waitFor()
  await savePictures(page, 'market/contacts')
  await page.goto(`${origin}/contacts?open=${last}`)
  await page.getByText('Asked for the price').waitFor()
  await page.getByText('Platform for all').waitFor()
  await savePictures(page, 'market/contact-panel')
  await page.goto(`${origin}/contacts/${last}`)
  await page.getByText('Asked for the price').waitFor()
  await page.getByText('Platform for all').waitFor()
  await savePictures(page, 'market/contact')
  await page.goto(`${origin}/contacts?view=unlinked`)
  await rowOf(page, 'Anna Keller').waitFor()
  await page.goto(`${origin}/contacts?view=mine&stage=evangelist`)
  await page.getByText('No contact matches').waitFor()
  await savePictures(page, 'market/contacts-no-match')
})
