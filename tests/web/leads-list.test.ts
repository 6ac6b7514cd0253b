import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { waitUntil } from '#testing'
import {
  activeRow,
  createLead,
  grid,
  isRowInView,
  panelOf,
  pressKeys,
  rowOf,
  tabTo,
  waitForRows,
} from './lead-pages.ts'
import { startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const apiPaths = (page: Page): string[] => {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) paths.push(pathname)
  })
  return paths
}

test('the list needs three requests, and a lead two more', async () => {
  const acme = await tenant()
  for (const name of ['Anna Keller', 'Kenji Tanaka']) await createLead(acme.member, name)
  const { page } = await openSignedIn(acme, acme.member, { path: '/leads' })
  const lead = await createLead(acme.member, 'Omar Hassan', { phone: '+49 30 23125 417' })
  await waitForRows(page)
  const paths = apiPaths(page)

  await page.reload()
  await rowOf(page, 'Omar Hassan').waitFor()
  await page.getByText('awaiting first response').waitFor()
  await page.waitForLoadState('networkidle')
  const ofPage = paths.filter((path) => !/^\/api\/(auth|notifications)/.test(path))
  assert.deepEqual(ofPage.sort(), ['/api/leads/', '/api/leads/kpis', '/api/leads/kpis'])

  paths.length = 0
  await rowOf(page, 'Omar Hassan').click()
  await panelOf(page, 'Omar Hassan').getByText('Why this score').waitFor()
  await page.waitForLoadState('networkidle')
  const ofLead = paths.filter((path) => path.startsWith(`/api/leads/${lead.id}`))
  assert.deepEqual(ofLead.sort(), [`/api/leads/${lead.id}`, `/api/leads/${lead.id}/activities`])
})

const pageSize = 100
const manyPages = 10_000

type Reads = { cursors: number[]; offsets: number[]; counts: number }

/** Answers with pages of a list of a million leads. */
async function fakeManyLeads(route: Route, reads: Reads): Promise<void> {
  const query = new URL(route.request().url()).searchParams
  const offset = query.get('offset')
  const at = offset ? Number(offset) / pageSize : Number(query.get('cursor') ?? 0)
  const isExact = query.get('count') === 'exact'
  if (isExact) reads.counts += 1
  else if (offset) reads.offsets.push(at)
  else reads.cursors.push(at)
  const items = Array.from({ length: pageSize }, (_, index) => {
    const number = at * pageSize + index + 1
    return {
      id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
      name: `Lead ${number}`,
      email: null,
      phone: null,
      title: null,
      company: 'Meridian Logistics',
      status: 'new',
      lifecycle_stage: 'lead',
      source: 'website',
      owner: null,
      score: 50,
      grade: 'B',
      sla_status: 'none',
      sla_due_at: null,
      first_responded_at: null,
      last_activity_at: null,
      tags: [],
      custom: {},
      created_at: '2026-01-01T00:00:00Z',
      version: 1,
    }
  })
  const total = isExact ? manyPages * pageSize : at === 0 ? 1_000 : null
  const next_cursor = at + 1 < manyPages ? String(at + 1) : null
  await route.fulfill({
    json: { items, next_cursor, limit: pageSize, offset: 0, total, total_relation: isExact ? 'eq' : 'gte' },
  })
}

test('a list of a million leads is read by cursor while it is scrolled, and the page stays small', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/settings' })
  const reads: Reads = { cursors: [], offsets: [], counts: 0 }
  const { cursors, offsets } = reads
  await page.route(/\/api\/leads\/\?/, (route) => fakeManyLeads(route, reads))
  await page.goto(`${new URL(page.url()).origin}/leads?view=all`)
  await rowOf(page, 'Lead 1Meridian').waitFor()
  await page.getByText('1 of 1,000+').waitFor()
  assert.deepEqual(cursors, [0, 1])

  const lastPage = 12
  await grid(page).hover()
  await waitUntil(async () => {
    await page.mouse.wheel(0, 5_000)
    return cursors.includes(lastPage)
  })

  assert.deepEqual(
    cursors,
    cursors.map((_, at) => at),
  )
  const rows = await grid(page).getByRole('row').count()
  assert.ok(rows < 80, `${rows} rows`)
  await page.mouse.wheel(0, -100_000)
  await rowOf(page, 'Lead 1Meridian').waitFor()

  await page.keyboard.press('End')
  await rowOf(page, 'Lead 1000000Meridian').waitFor()
  assert.match(await activeRow(page), /Lead 1000000Meridian/)
  assert.ok(await isRowInView(page, 'Lead 1000000Meridian'))
  await page.keyboard.press('PageUp')
  await page.keyboard.press('k')
  const [, position] = /Lead (\d+)Meridian/.exec(await activeRow(page))!
  await page.getByText(`${Number(position).toLocaleString('en')} of 1,000,000`).waitFor()
  assert.ok(Number(position) < 999_999)
  await page.keyboard.press('Home')
  await rowOf(page, 'Lead 1Meridian').waitFor()
  await page.getByText('1 of 1,000,000').waitFor()
  assert.equal(reads.counts, 1)
  assert.ok(offsets.length > 0 && offsets.every((at) => at >= manyPages - 3), offsets.join())
  assert.deepEqual(errors, [])
})

test('views, filters, order and columns are in the address and survive a reload', async () => {
  const acme = await tenant()
  await createLead(acme.member, 'Anna Keller', { source: 'webinar', tags: ['trade fair'] })
  await createLead(acme.member, 'Kenji Tanaka', { source: 'website' })
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/leads?view=all' })
  await rowOf(page, 'Kenji Tanaka').waitFor()

  await page.getByRole('button', { name: 'Add a filter' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Source' }).press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Webinar' }).press('Enter')
  await rowOf(page, 'Kenji Tanaka').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await pressKeys(page, 'Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor()
  await page.keyboard.type('sort by score')
  await page.getByRole('option', { name: 'Sort by score' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/sort=-score/)
  await grid(page).focus()
  await tabTo(page, 'Name')
  await page.keyboard.press('Enter')
  await page.waitForURL(/sort=name/)
  await page.getByRole('button', { name: 'Display' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Name', checked: true }).waitFor()
  await page.getByRole('menuitemcheckbox', { name: 'Owner' }).press('Enter')
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Owner' }).waitFor()

  await page.getByRole('button', { name: 'Save view' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Save this view' }).waitFor()
  await page.keyboard.type('Webinar by name')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Webinar by name' }).waitFor()
  await page.reload()
  await rowOf(page, 'Anna Keller').waitFor()
  assert.equal(await rowOf(page, 'Kenji Tanaka').count(), 0)
  assert.equal(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'ascending')
  const currentTab = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current]')
  assert.deepEqual(await currentTab.allTextContents(), ['Webinar by name'])

  await page.getByRole('link', { name: 'All', exact: true }).focus()
  await page.keyboard.press('Enter')
  await rowOf(page, 'Kenji Tanaka').waitFor()
  assert.deepEqual(await currentTab.allTextContents(), ['All'])
  await page.keyboard.press('/')
  await page.keyboard.type('keller')
  await rowOf(page, 'Kenji Tanaka').waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Webinar by name' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/source=webinar/)
  await rowOf(page, 'Anna Keller').waitFor()
  await grid(page).focus()
  await page.keyboard.press('Shift+Enter')
  await page.waitForURL(/\/leads\/[\da-f-]{36}/)
  await page.getByText('Why this score').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/leads\?.*source=webinar/)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL(/\/$/)
  await navigation.getByRole('link', { name: 'Leads' }).click()
  await page.waitForURL(/\/leads\?.*source=webinar/)
  assert.deepEqual(errors, [])
})

test('the figures filter the list', async () => {
  const acme = await tenant()
  await createLead(acme.member, 'Anna Keller')
  const answered = await createLead(acme.member, 'Kenji Tanaka')
  await acme.member.post(`/api/leads/${answered.id}/activities`, {
    type: 'call',
    direction: 'out',
    outcome: 'connected',
  })
  const { page } = await openSignedIn(acme, acme.member, { path: '/leads' })
  await rowOf(page, 'Kenji Tanaka').waitFor()

  await page.getByRole('button', { name: 'awaiting first response' }).focus()
  await page.keyboard.press('Enter')
  await rowOf(page, 'Kenji Tanaka').waitFor({ state: 'hidden' })
  await rowOf(page, 'Anna Keller').waitFor()
  await page.getByRole('button', { name: 'Remove the filter First response' }).focus()
  await page.keyboard.press('Enter')

  await rowOf(page, 'Kenji Tanaka').waitFor()
  await page.getByRole('link', { name: 'Unassigned' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Every lead has an owner' }).waitFor()
  assert.equal(await page.getByText('awaiting first response').count(), 0)
  assert.equal(await page.getByText('all shortcuts').count(), 0)
})

test('all matching leads are selected beyond those that are loaded, and a task changes them', async () => {
  const acme = await tenant()
  const count = 205
  await acme.sql(
    `insert into crm.leads (id, tenant_id, last_name, search_text, source, owner_id, created_on)
     select gen_random_uuid(), $1, 'Lead ' || n, 'lead', 'website', $2, now() from generate_series(1, $3::int) n`,
    [acme.id, acme.manager.userId, count],
  )
  const { page, errors } = await openSignedIn(acme, acme.manager, { path: '/leads' })
  await waitForRows(page)

  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Select all that match' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('205 leads selected').waitFor()
  await page.keyboard.press('3')
  await page.getByRole('button', { name: 'Set the status of 205 leads to Working' }).press('Enter')
  await page.getByText('Status of 205 leads set.').first().waitFor()

  const { body } = await acme.manager.get('/api/leads/?status=working&limit=1')
  assert.equal(body.total, count)
  await pressKeys(page, 'Escape')
  assert.deepEqual(errors, [])
})
