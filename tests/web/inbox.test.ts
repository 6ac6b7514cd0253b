import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertNotifications, negativeResponse, roomAlert } from './inbox-pages.ts'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

test('notifications are read by keyboard, and the number in the navigation follows', async () => {
  const acme = await tenant()
  const { body: lead } = await acme.member.post('/api/leads/', { first_name: 'Elena', email: 'elena@navarro.example' })
  await insertNotifications(acme, acme.member, negativeResponse(`/leads/${lead.id}`), roomAlert, negativeResponse(null))
  const { page, errors } = await openSignedIn(acme, acme.member)
  const inbox = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' })
  const rows = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')

  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await rows.first().waitFor()
  assert.match((await inbox.textContent())!, /3 unread$/)
  assert.match((await rows.first().textContent())!, /A respondent gave the score 4\./)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/leads/${lead.id}`))
  await inbox.filter({ hasText: '2' }).waitFor()

  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('link', { name: 'Unread', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/inbox\?unread=true/)
  await page.getByRole('link', { name: 'Room "Group contract"' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.getByRole('link', { name: 'Room "Group contract"' }).waitFor({ state: 'detached' })
  assert.equal(await rows.count(), 1)
  await page.keyboard.press('Shift+E')
  await page.getByRole('heading', { name: 'Everything is read' }).waitFor()
  await inbox.filter({ hasText: /^Inbox$/ }).waitFor()
  assert.deepEqual(errors, [])
})

test('a notification about an area without a screen says so', async () => {
  const acme = await tenant()
  await insertNotifications(acme, acme.member, roomAlert)
  const { page, errors, origin } = await openSignedIn(acme, acme.member, { ...phone })

  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Inbox' }).click()
  await page.getByRole('link', { name: 'Room "Group contract"' }).waitFor()
  await page.getByRole('link', { name: 'Room "Group contract"' }).click()
  await page.getByRole('heading', { name: 'Rooms has no screen yet' }).waitFor()

  await page.goto(`${origin}/no-such-page`)
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  assert.deepEqual(errors, [])
})
