// Imports of leads and contacts. IMPORT_ROWS sets the number of rows of the long one: 5,000 in `npm run web-import`.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { saveScreenshot } from '../../pages/screenshots.ts'
import { findProblems } from '../check-page.ts'
import { createKeyboard } from '../keyboard/keyboard.ts'
import { createLead } from '../lead-pages.ts'
import { phone, startWeb } from '../web-pages.ts'
import { createFairFile, faults } from './fair-file.ts'

const { tenant, openSignedIn } = await startWeb()

const rows = Number(process.env.IMPORT_ROWS ?? 400)
const valid = rows - faults
const [rowsText, validText] = [rows, valid].map((count) => count.toLocaleString('en')) as [string, string]
const desktop = { viewport: { width: 1440, height: 900 } }

/** Chooses a file in the dialog of the system that `open` opens. */
async function chooseFile(page: Page, open: () => Promise<void>, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await open()
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer })
}

/** Writes pictures of a step in both themes. */
async function showStep(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await saveScreenshot(page, `market/${name}-${colorScheme}`)
  }
}

test('a file with wrong rows is mapped, checked, corrected, imported and undone by keyboard', {
  timeout: 180_000,
}, async () => {
  const acme = await tenant()
  await acme.admin.post('/api/custom-fields/', {
    object_type: 'lead',
    key: 'fair_day',
    label: 'Fair day',
    type: 'date',
  })
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path: '/imports' })
  const { press, type, use, see, choose, focus, seeDialog } = createKeyboard(page)
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await see('No imports yet')

  await press('c')
  await see('What is in the file?')
  await showStep(page, 'import-new')
  await chooseFile(page, () => use('choose one'), 'fair-leads.csv', createFairFile(rows))
  await see('column K')
  assert.match((await page.getByText('semicolon').textContent())!, new RegExp(`^${rowsText} rows · UTF-8`))
  // Column D has no field, and column I one of the workspace, which has another name.
  await press(...Array(4).fill('ArrowDown'), 'f')
  await type('Email')
  await press('Enter')
  await see('Email is chosen twice: columns C and D.')
  await press(...Array(5).fill('ArrowDown'), 'f')
  await type('fair')
  await press('Enter', 't')
  await choose('date 12/31/2026')
  await showStep(page, 'import-columns')
  assert.deepEqual(await findProblems(page), [])

  await press('Control+Enter')
  assert.equal(await page.getByRole('button', { name: 'Options' }).getAttribute('aria-disabled'), 'true')
  await page.reload()
  await use('Keep C')
  await see('Field of the lead')
  await press('Control+Enter')
  await see('Leads that exist already')
  await focus('Owner No owner')
  await showStep(page, 'import-options')
  await focus('Not known')
  await press('ArrowDown', 'ArrowDown')
  assert.deepEqual(await findProblems(page), [])

  await press('Control+Enter')
  await see(`What happens to the ${rowsText} rows?`)
  await see('Fair day is not a date')
  await use('Columns')
  await row('Messetag').getByRole('button', { name: 'Change of' }).focus()
  await press('Enter')
  await choose('date 31.12.2026')
  await press('Control+Enter')
  await see('Leads that exist already')
  assert.ok(await page.getByLabel('Legitimate interest').isChecked())
  await press('Control+Enter')
  await page.getByRole('button', { name: `Import ${validText} rows` }).waitFor()
  await page.getByRole('button', { name: `Failed ${faults} not imported`, pressed: true }).waitFor()
  await see('Email is not an email address')
  await showStep(page, 'import-check')
  assert.deepEqual(await findProblems(page), [])
  await use('Fair day is not a date')
  assert.equal(await page.getByRole('table').getByRole('row').count(), 11)

  await press('Control+Enter')
  await see(`${validText} leads are in`)
  await showStep(page, 'import-done')
  assert.deepEqual(await findProblems(page), [])
  const download = page.waitForEvent('download')
  await use('errors.csv')
  const saved = await download
  const lines = (await readFile((await saved.path())!, 'utf8')).trim().split('\r\n')
  assert.deepEqual([saved.suggestedFilename(), lines.length], ['fair-leads-errors.csv', faults + 1])
  const { body } = await acme.manager.get('/api/leads/?limit=1&count=exact')
  assert.equal(body.total, valid)
  assert.match(body.items[0].custom.fair_day, /^2026-11-\d\d$/)

  await use(`Undo ${validText}`)
  await seeDialog(`Undo the import of ${validText} rows?`)
  await use(`Undo ${validText}`)
  await see(`${validText} rows are undone`)
  await showStep(page, 'import-undone')
  assert.equal((await acme.manager.get('/api/leads/?limit=1')).body.total, 0)
  await use('Back to columns')
  await see('9 of 11 columns are imported')
  assert.deepEqual(errors, [])
})

test('contacts are imported on a phone', { timeout: 120_000 }, async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.member, { ...phone, path: '/imports/contacts/new' })
  const tap = (name: string) => page.getByRole('button', { name, exact: true }).tap()
  const file =
    'Email,Last name,Company,Fax\nann@phone.example,Ann,Acme,1\nbob@phone.example,Bob,Acme,2\nwrong,Eve,Acme,3\n'

  await chooseFile(page, () => tap('choose one'), 'guests.csv', Buffer.from(file))
  await page.getByText('column D').waitFor()
  await showStep(page, 'import-phone')
  assert.deepEqual(await findProblems(page), [])
  await tap('Field of Fax: Do not import')
  await page.getByRole('option', { name: 'Notes' }).tap()
  await tap('Options')
  await page.getByText('Contacts that exist already').waitFor()
  assert.deepEqual(await findProblems(page), [])
  await tap('Check')
  await page.getByText('Email is not an email address').first().waitFor()
  await showStep(page, 'import-check-phone')
  assert.deepEqual(await findProblems(page), [])
  await page.getByRole('link', { name: 'Columns' }).tap()
  await page.getByText('4 of 4 columns are imported').waitFor()
  await page.goBack()
  await tap('Import 2 rows')

  await page.getByRole('heading', { name: '2 contacts are in' }).waitFor()
  assert.deepEqual(await findProblems(page), [])
  const { body } = await acme.member.get('/api/contacts/?search=ann')
  assert.partialDeepStrictEqual(body, [{ last_name: 'Ann', notes: '1' }])
  assert.deepEqual(errors, [])
})

test('a manager exports the leads that the list shows and downloads them, and members cannot', {
  timeout: 120_000,
}, async () => {
  const acme = await tenant()
  for (const name of ['Anna Keller', 'Omar Hassan']) await createLead(acme.manager, name, { tags: ['fair'] })
  await createLead(acme.manager, 'Mei Chen')
  const path = '/leads?view=all&tag=fair'
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path })
  const { press, use, see, seeDialog, choose, runCommand } = createKeyboard(page)
  await see('Omar Hassan')

  await use('Files')
  await choose('Export leads')
  await seeDialog('Export leads')
  await see('2 leads, as the list is filtered.')
  await page.getByLabel('All columns').focus()
  await press('ArrowDown')
  await showStep(page, 'export')
  assert.deepEqual(await findProblems(page.getByRole('dialog', { name: 'Export leads' })), [])
  await use('Export 2')
  await see('Exporting 2 leads')
  await page.getByRole('button', { name: 'Download: Exporting 2 leads' }).waitFor()
  const download = page.waitForEvent('download')
  await runCommand('Download: Exporting 2 leads')
  const saved = await download
  const [header, ...lines] = (await readFile((await saved.path())!, 'utf8')).trim().split('\r\n')

  assert.equal(saved.suggestedFilename(), 'leads.csv')
  assert.match(header!, /^name,status,/)
  assert.deepEqual(lines.map((line) => line.split(',')[0]).sort(), ['Anna Keller', 'Omar Hassan'])
  assert.deepEqual(errors, [])
  const member = await openSignedIn(acme, acme.member, { ...desktop, path })
  await member.page.getByRole('button', { name: 'Files' }).click()
  await member.page.getByRole('menuitem', { name: 'Import leads' }).waitFor()
  assert.equal(await member.page.getByRole('menuitem', { name: 'Export leads' }).count(), 0)
})
