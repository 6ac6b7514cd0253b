// All leads that match are deleted and restored. BULK_LEADS sets their number: 20,000 in `npm run bulk-undo`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '#testing'
import { findAccessibilityProblems } from '../pages/accessibility.ts'
import { createLead, getLead, pressKeys, waitForRows } from './lead-pages.ts'
import { findCutParts } from './page-layout.ts'
import { startWeb, waitForShell } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const leads = Number(process.env.BULK_LEADS ?? 300)
const text = leads.toLocaleString('en')
const restoredText = (leads - 2).toLocaleString('en')
const timeout = 30_000 + leads * 30

/** Measures how long the list takes for another user until `isDone`. */
async function measureList(read: () => Promise<unknown>, isDone: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isDone()) {
    const start = performance.now()
    await read()
    times.push(Math.round(performance.now() - start))
    await sleep(250)
  }
  return times.sort((one, other) => one - other)
}

test('all leads that match are deleted after a question, on every page, and the deletion is undone', async (context) => {
  const acme = await tenant()
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, search_text, source, created_on, owner_id)
     select $1, gen_random_uuid(), 'Lead ' || n, '', 'web', '2026-01-01', $2 from generate_series(1, $3) n`,
    [acme.id, acme.manager.userId, leads],
  )
  const { page, origin, errors } = await openSignedIn(acme, acme.manager, { path: '/leads?view=all' })
  await waitForRows(page)
  const listDeleted = async () =>
    (await acme.sql('select id from crm.leads where tenant_id = $1 and deleted_at is not null', [acme.id])).rows
  const follow = async (name: string, end: Promise<unknown>) => {
    const start = performance.now()
    let isDone = false
    const times = measureList(
      () => acme.member.get('/api/leads/?limit=50'),
      () => isDone,
    )
    await end
    isDone = true
    const seconds = ((performance.now() - start) / 1_000).toFixed(1)
    const sorted = await times
    const [middle, last] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    context.diagnostic(
      `${name} of ${text} leads: ${seconds} s; the list beside it: median ${middle} ms, most ${last} ms`,
    )
  }

  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Select all that match' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(`${text} leads selected`).waitFor()
  await page.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Delete ${text} leads` })
  await dialog.waitFor()
  assert.deepEqual(await findAccessibilityProblems(dialog), [])
  await page.keyboard.type(String(leads).slice(0, -1))
  assert.equal(await dialog.getByRole('button', { name: `Delete ${text} leads` }).isDisabled(), true)
  await page.keyboard.type(String(leads).slice(-1))
  await page.keyboard.press('Enter')
  const strip = page.getByRole('region', { name: 'Tasks in progress' })
  await strip.getByText(`Deleting ${text} leads`).waitFor()

  await pressKeys(page, 'g', 'h')
  await page.waitForURL((url) => url.pathname === '/')
  await follow('deletion', page.getByText(`${text} leads deleted.`).waitFor({ timeout }))
  const deleted = await listDeleted()
  const [restored, deletedAgain] = deleted
  for (const { id } of [restored, deletedAgain]) await acme.manager.post(`/api/leads/${id}/restore`)
  await acme.manager.delete(`/api/leads/${deletedAgain.id}`)
  await page.goto(`${origin}/people`)
  await waitForShell(page)
  await pressKeys(page, 'g', 'l')
  await page.waitForURL(/\/leads/)
  await strip.getByRole('button', { name: `Undo: Deleting ${text} leads` }).focus()
  await page.keyboard.press('Enter')

  await follow('undo', strip.getByText(`${restoredText} leads restored. 2 leads were skipped`).waitFor({ timeout }))
  assert.equal(deleted.length, leads)
  assert.deepEqual(await listDeleted(), [deletedAgain])
  await waitForRows(page)
  await page.setViewportSize({ width: 390, height: 844 })
  assert.deepEqual(await findCutParts(page), [])
  assert.deepEqual(errors, [])
  const { rows } = await acme.sql(
    'select type, count(*)::int from platform.outbox_events where tenant_id = $1 group by type order by type',
    [acme.id],
  )
  context.diagnostic(rows.map(({ type, count }) => `${count} ${type}`).join(', '))
})

test('a failed action stays on the page until it is repeated, and has the id of its request', async () => {
  const acme = await tenant()
  await acme.manager.post('/api/leads/', { last_name: 'Moss', owner_id: acme.manager.userId })
  const { page } = await openSignedIn(acme, acme.manager, { path: '/leads' })
  await waitForRows(page)
  const failure = { status: 503, json: { code: 'dependency_unavailable', request_id: 'req_1' } }
  await page.route('**/api/leads/bulk', (route) => route.fulfill(failure), { times: 1 })

  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The service is busy. Try again in a moment.').waitFor()
  const toast = page.getByText('The service is busy. Try again in a moment.')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const bar = page.getByRole('region', { name: 'Selected leads' })
    await waitUntil(async () => {
      const [shown, covered] = [await toast.boundingBox(), await bar.boundingBox()]
      return shown!.y + shown!.height < covered!.y
    })
  }
  await page.getByRole('button', { name: 'Copy request id' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).focus()
  await page.keyboard.press('Enter')

  await page.getByText('1 lead deleted.').waitFor()
  await page.getByText('The service is busy. Try again in a moment.').waitFor({ state: 'detached' })
})

test('deleted records are restored from the trash, once, by those who may', async () => {
  const acme = await tenant()
  const [mine, theirs, twice, old] = [
    await createLead(acme.member, 'Anna Keller'),
    await createLead(acme.manager, 'Kenji Tanaka'),
    await createLead(acme.manager, 'Omar Hassan'),
    await createLead(acme.manager, 'Ingrid Larsen'),
  ]
  for (const { id } of [theirs, twice, old]) await acme.manager.delete(`/api/leads/${id}`)
  await acme.sql(`update crm.leads set deleted_at = deleted_at - interval '31 days' where id = $1`, [old.id])
  const email = 'ada@meridian.example'
  const contact = (await acme.manager.post('/api/contacts/', { email, last_name: 'Lovelace' })).body
  await acme.manager.delete(`/api/contacts/${contact.id}`)
  await acme.manager.post('/api/contacts/', { email })

  const { page } = await openSignedIn(acme, acme.member, { path: '/leads?view=all' })
  await waitForRows(page)
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('1 lead deleted.').waitFor()
  await pressKeys(page, 'Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('Go to Trash')
  await page.getByRole('option', { name: 'Go to Trash' }).waitFor()
  await page.keyboard.press('Enter')
  const ownTrash = page.getByRole('list', { name: 'The trash' })
  await ownTrash.getByText('Anna Keller').waitFor()
  assert.equal(await ownTrash.getByRole('listitem').count(), 1)

  const { page: managers, errors } = await openSignedIn(acme, acme.manager, { path: '/trash' })
  const trash = managers.getByRole('list', { name: 'The trash' })
  const rowOf = (name: string) => trash.getByRole('listitem').filter({ hasText: name })
  await rowOf('Anna Keller').getByText(`by ${acme.member.name}`).waitFor()
  assert.equal(await trash.getByRole('listitem').count(), 3)
  await acme.manager.post(`/api/leads/${twice.id}/restore`)
  await managers.getByRole('button', { name: 'Restore Omar Hassan' }).focus()
  await managers.keyboard.press('Enter')
  await managers.getByText('Omar Hassan is not in the trash any more.').waitFor()
  await rowOf('Omar Hassan').waitFor({ state: 'detached' })

  await managers.getByRole('checkbox', { name: 'Select all shown' }).focus()
  await managers.keyboard.press('Space')
  await managers.getByRole('button', { name: 'Restore 2 records' }).focus()
  await managers.keyboard.press('Enter')
  await managers.getByText('2 records were restored.').waitFor()
  await managers.getByRole('heading', { name: 'No deleted leads' }).waitFor()
  for (const lead of [mine, theirs, twice]) assert.equal((await getLead(acme.manager, lead)).deleted_at, null)

  const kinds = managers.getByRole('navigation', { name: 'Deleted records by kind' })
  await kinds.getByRole('link', { name: 'Contacts' }).focus()
  await managers.keyboard.press('Enter')
  await managers.getByRole('button', { name: 'Restore Lovelace' }).focus()
  await managers.keyboard.press('Enter')
  await rowOf('Lovelace').getByText('Another contact has this email address now.').waitFor()
  assert.deepEqual(await findAccessibilityProblems(managers), [])
  assert.deepEqual(errors, [])
})
