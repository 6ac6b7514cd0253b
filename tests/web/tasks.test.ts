import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { findAccessibilityProblems } from '../pages/accessibility.ts'
import { findCutParts } from './page-layout.ts'
import { phone, startWeb, waitForShell } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

type Workspace = Awaited<ReturnType<typeof tenant>>
type OpenPage = Awaited<ReturnType<typeof openSignedIn>>['page']

/** Stores a running task of the member and returns a function that changes it like a worker. */
async function insertTask(acme: Workspace, total = 400) {
  const id = newId()
  await acme.sql(
    `insert into platform.background_tasks (tenant_id, id, kind, title, state, progress_total, created_by, created_via, run_id, started_at)
     values ($1, $2, 'leads.bulk', 'Change leads', 'running', $3, $4, 'user', $2, now() - interval '10 seconds')`,
    [acme.id, id, total, acme.member.userId],
  )
  const change = async (changes: string) => {
    await acme.sql(`update platform.background_tasks set ${changes} where tenant_id = $1 and id = $2`, [acme.id, id])
    await acme.sql(`select pg_notify('tributary_wake', $1)`, [`task:${id}`])
  }
  return { id, change }
}

const finish = (state: string) => `state = '${state}', finished_at = now(), run_id = null`

/** Shows a task as if it was started on this page before it was loaded again. */
async function showTask(page: OpenPage, id: string, label: string): Promise<void> {
  await page.evaluate(`sessionStorage.setItem('tasks', ${JSON.stringify(JSON.stringify([{ id, label }]))})`)
  await page.reload()
  await waitForShell(page)
}

test('the progress of a task is shown in all tabs with one stream, also after navigation', async () => {
  const acme = await tenant()
  const { id, change } = await insertTask(acme)
  const { page, context, errors, origin } = await openSignedIn(acme, acme.member)
  const streams: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push(request.url())
  })
  const other = await context.newPage()
  await other.goto(`${origin}/leads`)
  await waitForShell(other)
  await showTask(page, id, 'Assigning 400 leads')
  await showTask(other, id, 'Assigning 400 leads')
  const strips = [page, other].map((tab) => tab.getByRole('region', { name: 'Tasks in progress' }))

  await change('progress_done = 120')
  for (const strip of strips) await strip.getByText('120 of 400').waitFor()
  assert.deepEqual(await findAccessibilityProblems(strips[0]!), [])
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.waitForURL(/\/leads/)
  await change(`${finish('succeeded')}, progress_done = 400, result = '{"failed": 3}'`)
  for (const strip of strips) await strip.getByText('Done · 3 failed').waitFor()

  assert.equal(new Set(streams).size, 1)
  assert.ok(streams.length <= 2, streams.join())
  await strips[0]!.getByRole('button', { name: 'Dismiss: Assigning 400 leads' }).focus()
  await page.keyboard.press('Enter')
  for (const strip of strips) await strip.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate("sessionStorage.getItem('tasks')"), null)
  assert.deepEqual(errors, [])
})

test('a task is canceled by the command menu', async () => {
  const acme = await tenant()
  const { id, change } = await insertTask(acme)
  const { page, errors } = await openSignedIn(acme, acme.member, { ...phone, colorScheme: 'dark' })
  await showTask(page, id, 'Assigning 400 leads')
  const strip = page.getByRole('region', { name: 'Tasks in progress' })

  await strip.getByText('0 of 400').waitFor()
  assert.deepEqual(await findAccessibilityProblems(strip), [])
  assert.deepEqual(await findCutParts(page), [])
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('cancel')
  await page.getByRole('option', { name: 'Cancel: Assigning 400 leads' }).waitFor()
  await page.keyboard.press('Enter')
  await strip.getByText('Canceling').waitFor()
  await change(finish('cancelled'))

  await strip.getByText('The task was canceled.').waitFor()
  assert.deepEqual(errors, [])
})

test('a task is polled if its stream does not work, and its error is shown', async () => {
  const acme = await tenant()
  const { id, change } = await insertTask(acme)
  const { page, context } = await openSignedIn(acme, acme.member)
  await context.route('**/events', (route) => route.abort())
  await showTask(page, id, 'Assigning 400 leads')
  const strip = page.getByRole('region', { name: 'Tasks in progress' })
  await strip.getByText('0 of 400').waitFor()

  await change(`${finish('failed')}, error = '{"code": "conflict", "message": "The pipeline is closed."}'`)

  await strip.getByText('Stopped: The pipeline is closed.').waitFor()
})

test('a task of another user is not shown', async () => {
  const acme = await tenant()
  const { id } = await insertTask(acme)
  const { page } = await openSignedIn(acme, acme.viewer)
  const isAnswered = page.waitForResponse((response) => response.url().endsWith('/status'))
  await showTask(page, id, 'Assigning 400 leads')

  assert.equal((await isAnswered).status(), 404)
  await page.getByRole('region', { name: 'Tasks in progress' }).waitFor({ state: 'detached' })
})
