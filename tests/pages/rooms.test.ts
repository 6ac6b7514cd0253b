import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '#testing'
import { startRoomApp } from '../../src/modules/enablement/room-visits/room-visits.fixture.ts'
import { startBrowser } from '../reference/browser.ts'

const { acme, port, call, createDeck, createActiveRoom } = await startRoomApp({
  APP_DOMAIN: 'localhost',
  APP_SCHEME: 'http',
})
const browser = await startBrowser()
const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) Safari/605.1.15'
const phone = { viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true }

const deck = await createDeck({ title: 'Offer deck' })
const fields = { public_title: 'Offer for Globex', welcome: 'Hello **Ann**', sections: [{ title: 'Start' }] }
const open = await createActiveRoom(fields, [{ content_item_id: deck.id }])
await acme.member.post(`${open.url}/plan`, { title: 'Sign the contract', side: 'buyer', due_on: '2030-01-31' })
const gated = await createActiveRoom({ ...fields, share: { access: 'email', password: 'open-sesame' } }, [
  { content_item_id: deck.id },
])
const urlOf = ({ share }: { share: { share_token: string } }) => `http://${acme.host}:${port}/r/${share.share_token}`

async function newPage(options: object = {}) {
  const context = await browser.newContext({ userAgent, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && problems.push(message.text()))
  return { page, problems }
}

test('a visitor opens a room in a browser, sees its files, and the time is counted', async () => {
  const { page, problems } = await newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(urlOf(open))
  const before = await page.locator('iframe').count()

  await page.getByRole('button', { name: 'Open the files' }).click()
  await page.getByRole('heading', { name: 'Offer deck' }).waitFor()
  const file = await call('GET', (await page.locator('iframe').getAttribute('src'))!)
  await waitUntil(async () => {
    const { rows } = await acme.sql(
      'select 1 from enablement.room_visits where room_id = $1 and counted_at is not null',
      [open.id],
    )
    return rows.length === 1
  }, 30)

  assert.equal(before, 0)
  assert.equal(file.status, 200)
  assert.ok(await page.getByText('Sign the contract').isVisible())
  assert.deepEqual(problems, [])
})

test('a visitor passes the gate on a phone without JavaScript', async () => {
  const { page } = await newPage({ ...phone, javaScriptEnabled: false })
  await page.goto(urlOf(gated))
  const gate = await page.content()
  const enter = async (password: string) => {
    await page.getByLabel('Email address').fill('ann@buyer.example')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  await enter('wrong-password')
  const refused = await page.getByRole('alert').textContent()
  await enter('open-sesame')
  await page.getByRole('heading', { name: 'Offer for Globex' }).waitFor()

  assert.doesNotMatch(gate, /Offer|Globex|Hello/)
  assert.match(refused!, /Access denied/)
  assert.ok(await page.getByRole('link', { name: 'Open Offer deck' }).isVisible())
  await page.goto(`http://${acme.host}:${port}/r/unknown-token`)
  assert.match((await page.content())!, /Page not available/)
})
