import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '#testing'
import { saveScreenshot } from '../../pages/screenshots.ts'
import { findProblems } from '../check-page.ts'
import { createKeyboard } from '../keyboard/keyboard.ts'
import { phone, startWeb } from '../web-pages.ts'
import { createAudience, createSegment, nestedRule } from './segment-pages.ts'

const { tenant, openSignedIn } = await startWeb()
const desktop = { viewport: { width: 1440, height: 900 } }

const readLabel = (page: Page) => page.evaluate('document.activeElement.ariaLabel')
const countOf = (page: Page) => page.getByRole('complementary', { name: 'Count' })

test('a nested segment with a fact is built, saved and added to a campaign by keyboard only', async () => {
  const acme = await tenant()
  const { campaign, leads } = await createAudience(acme)
  const { page, errors } = await openSignedIn(acme, acme.member, { ...desktop, path: '/segments' })
  const keys = createKeyboard(page)
  await keys.see('No segments yet')
  /** Types into the search of the list that has just opened, faster than the choices are found. */
  const pick = async (text: string) => {
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await keys.type(text)
    await keys.press('Enter')
  }

  await keys.press('c')
  await page.getByRole('heading', { name: 'New segment' }).waitFor()
  await keys.focus('Name')
  await keys.type('Warm <i>leads</i>')
  await keys.use('Condition')
  await pick('Industry')
  await keys.press('Enter')
  await pick('Logistics')
  await pick('Energy')
  await keys.press('Escape')
  await page.getByText('Leads where Industry is one of Logistics or Energy.').waitFor()
  await countOf(page).getByText('7', { exact: true }).waitFor()

  await keys.focus('Group')
  await keys.press('Enter')
  await pick('Activity')
  await keys.press('Enter')
  await pick('Submitted a form')
  await keys.press('Escape')
  await keys.press('ArrowDown', 'Enter')
  await pick('Country')
  await keys.press('Enter')
  await pick('FR')
  await keys.press('Escape')
  await countOf(page).getByText('4', { exact: true }).waitFor()

  await keys.press('Control+Enter')
  await keys.see('The segment Warm <i>leads</i> was created.')
  const { body: list } = await acme.admin.get('/api/segments')
  const [segment] = list.items
  const { body: counted } = await acme.admin.post('/api/segments/preview', {
    object_type: 'lead',
    rules: segment.rules,
  })
  assert.equal(segment.name, 'Warm <i>leads</i>')
  assert.deepEqual(segment.rules, {
    all: [
      { field: 'industry', op: 'in', value: ['Logistics', 'Energy'] },
      {
        any: [
          { fact: 'activity', types: ['form_submitted'] },
          { field: 'country', op: 'in', value: ['FR'] },
        ],
      },
    ],
  })
  assert.equal(counted.count, 4)

  await keys.use('Use in')
  await keys.choose('Add to a campaign')
  await keys.seeDialog('Add to a campaign')
  await keys.see('The segment has 4 leads now.')
  await keys.focus('Campaign')
  await keys.type('Web')
  await page.getByRole('option', { name: 'Webinar: <b>pipeline</b> reviews' }).waitFor()
  await keys.press('Enter')
  await page.getByRole('option', { name: 'Webinar: <b>pipeline</b> reviews' }).waitFor({ state: 'hidden' })
  await keys.use('Add 4 leads')
  await keys.see('4 people were added to Webinar: <b>pipeline</b> reviews.')
  const { body: members } = await acme.admin.get(`/api/campaigns/${campaign}/members`)
  assert.deepEqual(members.items.map(({ lead }: { lead: { id: string } }) => lead.id).sort(), leads.slice(0, 4).sort())
  assert.deepEqual(errors, [])
})

test('rows are moved, removed and put back, and an unsaved rule survives leaving and loading the page', async () => {
  const acme = await tenant()
  const { campaign } = await createAudience(acme)
  const segment = await createSegment(acme, { name: 'Warm', rules: nestedRule(campaign) })
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path: `/segments/${segment.id}` })
  const sentence = countOf(page)
    .getByRole('paragraph')
    .filter({ hasText: /^Leads where/ })
  await sentence.filter({ hasText: 'Campaign is Webinar: <b>pipeline</b> reviews' }).waitFor()
  await saveScreenshot(page, 'segment')

  const country = page.getByRole('listitem', { name: /^Condition: Country/ })
  await country.getByRole('button', { name: /^Move: / }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  assert.equal(await readLabel(page), 'Move: Condition: Country is DE')
  await sentence.filter({ hasText: /Country is DE, or Campaign is/ }).waitFor()
  await page.keyboard.press('Delete')
  await sentence.filter({ hasNotText: 'Country' }).waitFor()
  await page.keyboard.press('Control+z')
  await sentence.filter({ hasText: /Country is DE, or Campaign is/ }).waitFor()

  const score = page.getByRole('listitem', { name: /^Condition: Score/ })
  await page.locator('[draggable=true]').first().waitFor()
  await score.locator('[draggable=true]').dragTo(country, { targetPosition: { x: 40, y: 4 } })
  await sentence.filter({ hasText: /Score is at least 60, or Country is DE/ }).waitFor()
  await page.getByLabel('Value of Score').fill('9')
  await page.getByLabel('Value of Score').fill('90')
  await sentence.filter({ hasText: 'Score is at least 90, or' }).waitFor()
  await countOf(page)
    .getByText(/counted/)
    .first()
    .waitFor()

  await page.getByRole('link', { name: 'Segments' }).first().click()
  await page.getByRole('grid', { name: 'Segments' }).waitFor()
  await page.goBack()
  await sentence.filter({ hasText: 'Score is at least 90, or' }).waitFor()
  await page.reload()
  await sentence.filter({ hasText: 'Score is at least 90, or' }).waitFor()
  await page.getByText('Not saved').waitFor()

  const changed = { rules: { all: [{ field: 'country', op: 'eq', value: 'FR' }] } }
  assert.equal((await acme.admin.patch(`/api/segments/${segment.id}`, changed)).status, 200)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const conflict = page.getByRole('alert').filter({ hasText: 'Leads where Country is FR.' })
  await conflict.waitFor()
  assert.deepEqual(await findProblems(page), [])
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await page.getByText('Saved.').waitFor()
  const { body: saved } = await acme.admin.get(`/api/segments/${segment.id}`)
  assert.deepEqual(saved.rules.all[1].any.slice(1, 3), [
    { field: 'score', op: 'gte', value: 90 },
    { field: 'country', op: 'eq', value: 'DE' },
  ])
  assert.deepEqual(
    errors.filter((error) => !error.includes('412')),
    [],
  )
})

test('a condition is changed on a phone', async () => {
  const acme = await tenant()
  const { campaign } = await createAudience(acme)
  const segment = await createSegment(acme, { name: 'Warm', rules: nestedRule(campaign) })
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...phone, path: `/segments/${segment.id}` })
  const row = page.getByRole('listitem', { name: /^Condition: Industry/ })

  await row.getByRole('button', { name: 'Remove Energy' }).tap()
  await row.getByRole('button', { name: 'Add: Value of Industry' }).tap()
  await page.getByRole('dialog', { name: 'Add: Value of Industry' }).getByRole('combobox').fill('Software')
  await page.getByRole('option', { name: 'Software' }).tap()
  await page.getByRole('listitem', { name: 'Condition: Industry is one of Logistics or Software' }).waitFor()
  assert.deepEqual(await findProblems(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^More: Condition: Score/ }).tap()
  await page.getByRole('menuitem', { name: 'Move up' }).tap()
  await saveScreenshot(page, 'segment-phone')
  await page.getByRole('button', { name: 'In words' }).tap()
  await page
    .getByRole('dialog')
    .getByText(/^Leads where Score is at least 60, and Industry/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
  await page.getByRole('button', { name: 'Save', exact: true }).tap()
  await page.getByText('Saved.').waitFor()

  const { body: saved } = await acme.admin.get(`/api/segments/${segment.id}`)
  assert.deepEqual(saved.rules.all.slice(0, 2), [
    { field: 'score', op: 'gte', value: 60 },
    { field: 'industry', op: 'in', value: ['Logistics', 'Software'] },
  ])
  assert.deepEqual(errors, [])
})

test('a rule that matches no record or has errors says what to change', async () => {
  const acme = await tenant()
  const { campaign } = await createAudience(acme)
  const tooNarrow = await createSegment(acme, {
    name: 'Too narrow',
    rules: {
      all: [
        { field: 'industry', op: 'eq', value: 'Energy' },
        { field: 'country', op: 'eq', value: 'ES' },
      ],
    },
  })
  const broken = await createSegment(acme, {
    name: 'Broken',
    rules: {
      all: [
        { field: 'score', op: 'gte', value: 60 },
        { fact: 'campaign', campaign_id: campaign },
      ],
    },
  })
  assert.equal((await acme.manager.delete(`/api/campaigns/${campaign}`)).status, 204)
  await waitUntil(async () => (await acme.admin.get(`/api/segments/${broken.id}`)).body.state === 'invalid')
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path: `/segments/${tooNarrow.id}` })
  await countOf(page).getByText('Country is ES').waitFor()
  await countOf(page).getByText('No lead matches all of them. Change “All” to “Any”, or remove one.').waitFor()
  await saveScreenshot(page, 'segment-no-match')

  await page.goto(new URL(`/segments/${broken.id}`, page.url()).href)
  await page.getByText('1 condition must be fixed. Until then the segment is empty.').waitFor()
  const row = page.getByRole('listitem', { name: /^Condition: Campaign/ })
  await row.getByText('This record does not exist anymore.', { exact: false }).waitFor()
  await saveScreenshot(page, 'segment-invalid')
  assert.deepEqual(await findProblems(page), [])
  await page.keyboard.press('Control+Enter')
  await row.getByRole('button', { name: /^Move: / }).focus()
  await page.keyboard.press('Delete')
  await countOf(page).getByText('counted', { exact: false }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Saved.').waitFor()
  assert.equal((await acme.admin.get(`/api/segments/${broken.id}`)).body.state, 'ok')
  assert.deepEqual(errors, [])
})

test('a segment is duplicated, made a list, changed and deleted by those who may', async () => {
  const acme = await tenant()
  await createAudience(acme)
  const ofManager = await createSegment(acme, { name: 'Warm' }, acme.manager)
  const viewer = await openSignedIn(acme, acme.viewer, { ...desktop, path: `/segments/${ofManager.id}` })
  await viewer.page.getByRole('listitem', { name: /^Condition: Score/ }).waitFor()
  for (const name of ['Save', 'Use in', 'Condition', 'Group'])
    assert.equal(await viewer.page.getByRole('button', { name, exact: true }).count(), 0, name)
  await viewer.page.getByRole('link', { name: 'Settings' }).last().click()
  await viewer.page.getByText('Updates itself').last().waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: /Delete|list/ }).count(), 0)

  const { page, errors } = await openSignedIn(acme, acme.member, { ...desktop, path: `/segments/${ofManager.id}` })
  await page.getByText('Only managers and the owner change this segment.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  assert.equal(await page.getByRole('menuitem', { name: 'Delete the segment' }).count(), 0)
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { name: 'Copy of Warm' }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).last().click()
  await page.getByRole('button', { name: 'Make it a fixed list' }).click()
  await page.getByRole('dialog').getByText('The segment has 7 leads now.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Make it a fixed list' }).click()
  await page.getByText('The segment is a fixed list now.').waitFor()
  await page.getByRole('link', { name: 'People 7' }).click()
  await page.getByRole('button', { name: 'Add leads' }).click()
  await page.getByRole('dialog').getByRole('combobox').fill('Anna')
  await page.getByRole('option', { name: 'Anna Keller' }).click()
  await page.getByText('Anna Keller was added.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Select Anna Keller' }).click()
  await page.getByRole('button', { name: 'Remove 1 from the list' }).click()
  await page.getByText('1 was removed from the list.').waitFor()
  await page.getByRole('row', { name: /Anna Keller/ }).waitFor({ state: 'detached' })

  const copy = page.url().split('/').at(-1)!.split('?')[0]!
  const user = await createSegment(acme, { name: 'User', rules: { fact: 'segment', segment_id: copy } })
  await page.reload()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete the segment' }).click()
  await page.getByRole('dialog', { name: 'Copy of Warm is used' }).getByRole('link', { name: 'User' }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal((await acme.admin.delete(`/api/segments/${user.id}`)).status, 204)
  await page.reload()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete the segment' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the segment' }).click()
  await page.getByText('The segment Copy of Warm was deleted.').waitFor()
  await page.getByRole('grid', { name: 'Segments' }).waitFor()
  assert.equal((await acme.admin.get(`/api/segments/${copy}`)).status, 404)
  assert.deepEqual([errors, viewer.errors], [[], []])
})
