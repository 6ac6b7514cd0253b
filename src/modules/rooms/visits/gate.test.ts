import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicUrl, startRoomApp } from './visits.fixture.ts'

const { acme, clock, visitor, createActiveRoom, startTestWorker, mails, alerts } = await startRoomApp()
const { member: seller } = acme
await startTestWorker()

const createGatedRoom = (share: object) => createActiveRoom({ public_title: 'Secret plans', share })
const codeIn = async (address: string, expected: number) => {
  const sent = await mails(address, expected)
  return /\b\d{6}\b/.exec(sent.at(-1)!.subject!)![0]
}
const wrongCodeFor = (code: string) => (code === '111111' ? '222222' : '111111')

test('enablement-3-3 an allow list verifies email addresses by a code, which dies after five attempts', async () => {
  const room = await createGatedRoom({ access: 'allow_list', allowed: ['@Acme.com'] })
  const url = `${room.publicUrl}/visit`
  const [evil, ann, elsewhere] = [visitor(), visitor(), visitor()]

  const notListed = await evil.post(url, { email: 'x@evil.com' })
  const listed = await ann.post(url, { email: 'Ann@acme.com' })
  const code = await codeIn('ann@acme.com', 1)
  const statuses = []
  for (let n = 0; n < 6; n++)
    statuses.push((await ann.post(url, { email: 'ann@acme.com', code: wrongCodeFor(code) })).status)
  const dead = await elsewhere.post(url, { email: 'ann@acme.com', code })
  const requested = await elsewhere.post(url, { email: 'ann@acme.com' })
  const newCode = await codeIn('ann@acme.com', 2)
  const opened = await elsewhere.post(url, { email: 'ann@acme.com', code: newCode })
  const reused = await elsewhere.post(url, { email: 'ann@acme.com', code: newCode })

  assert.deepEqual([notListed.status, notListed.body], [202, listed.body])
  assert.deepEqual(listed.body, { state: 'code_sent', expires_in_seconds: 600 })
  assert.equal((await mails('x@evil.com')).length, 0)
  assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429])
  assert.deepEqual([dead.status, dead.body.code, dead.body.requires], [403, 'access_denied', ['verified_email']])
  assert.deepEqual([requested.status, opened.status, opened.body.identity], [202, 201, 'verified'])
  assert.equal(reused.status, 403)
})

test('enablement-3-4 the block list wins, in silence where codes are sent and at once where not', async () => {
  const room = await createGatedRoom({ access: 'allow_list', allowed: ['@acme.com'], blocked: ['ceo@acme.com'] })
  const withEmail = await createGatedRoom({ access: 'email', blocked: ['ceo@acme.com'] })
  const ceo = visitor()

  const requested = await ceo.post(`${room.publicUrl}/visit`, { email: 'CEO@acme.com' })
  const guessed = await ceo.post(`${room.publicUrl}/visit`, { email: 'ceo@acme.com', code: '123456' })
  const refused = await ceo.post(`${withEmail.publicUrl}/visit`, { email: 'ceo@acme.com' })
  const missing = await ceo.post(`${withEmail.publicUrl}/visit`, {})
  const other = await ceo.post(`${withEmail.publicUrl}/visit`, { email: 'cto@acme.com' })

  assert.deepEqual([requested.status, requested.body.state, guessed.status], [202, 'code_sent', 403])
  assert.deepEqual([refused.status, missing.status, refused.body.detail], [403, 403, missing.body.detail])
  assert.deepEqual([other.status, other.body.identity], [201, 'claimed'])
  assert.equal((await mails('ceo@acme.com')).length, 0)
})

test('enablement-3-5 a link with a password shows nothing before it and counts wrong ones', async () => {
  const room = await createGatedRoom({ password: 'open-sesame' })
  const url = `${room.publicUrl}/visit`
  const [guesser, buyer] = [visitor(), visitor()]

  const gated = await buyer.get(room.publicUrl)
  const missing = await buyer.post(url, {})
  const opened = await buyer.post(url, { password: 'open-sesame' })
  const wrong = []
  for (let n = 0; n < 5; n++) wrong.push(await guesser.post(url, { password: `wrong-${n}` }))
  const limited = await guesser.post(url, { password: 'open-sesame' })
  const stillOpen = await visitor().post(url, { password: 'open-sesame' })
  clock.advance(15 * 60 + 1)
  const later = await guesser.post(url, { password: 'open-sesame' })

  assert.deepEqual(Object.keys(gated.body).sort(), ['access', 'branding', 'requires', 'tenant_name'])
  assert.deepEqual([gated.body.access, gated.body.requires], ['gated', ['password']])
  assert.doesNotMatch(gated.text, /Secret|Globex|Hello|Welcome/)
  assert.deepEqual([missing.status, opened.status, opened.body.room.title], [403, 201, 'Secret plans'])
  for (const { status, body } of wrong) assert.deepEqual([status, body.code], [403, 'access_denied'])
  assert.equal(limited.status, 429)
  assert.ok(Number(limited.headers['retry-after']) > 600)
  assert.deepEqual([stillOpen.status, later.status], [201, 201])
})

test('fifty wrong passwords from many networks lock the link and tell the owner', async () => {
  const { accessToken } = await acme.signIn(seller.userId)
  const owner = acme.bearer(`Bearer ${accessToken}`)
  const { body: link } = await owner.post(`/api/enablement/rooms/${(await latestRoom()).id}/links`, {
    password: 'open-sesame',
  })
  const url = `${publicUrl(link.share_token)}/visit`
  await acme.sql('update identity.auth_throttles set count = 0')

  const known = (await visitor().post(url, { password: 'open-sesame' })).body

  for (let n = 0; n < 50; n++) await visitor().post(url, { password: 'wrong' })
  const locked = await visitor().post(url, { password: 'open-sesame' })
  const asKnown = (password: string) => visitor().post(url, { password, visitor_token: known.visitor_token })
  const returned = await asKnown('open-sesame')
  for (let n = 0; n < 10; n++) await asKnown('wrong')
  const guessing = await asKnown('open-sesame')

  assert.deepEqual([locked.status, returned.status, guessing.status], [429, 201, 429])
  assert.deepEqual(
    (await alerts('room.many_guesses')).map(({ link_id }) => link_id),
    [link.id],
  )
})

test('an email address that cannot be used is refused by the page as by the API', async () => {
  const room = await createGatedRoom({ access: 'verified_email' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const byPage = async (email: string) =>
    await visitor().post(`/r/${room.share.share_token}`, new URLSearchParams({ email }).toString(), form)
  const byApi = await visitor().post(`${room.publicUrl}/visit`, { email: 'änn@acme.com' })

  const refused = []
  for (const email of ['änn@acme.com', 'ann@acme..com', 'ann@acme', 'ann@']) refused.push(await byPage(email))
  const accepted = await byPage('ann@acme.com')

  for (const { status, text } of refused) {
    assert.equal(status, 422)
    assert.match(text, /<!doctype html>[\s\S]*<title>Error: [\s\S]*Enter a complete email address/)
  }
  assert.deepEqual([byApi.status, accepted.status], [422, 200])
})

const latestRoom = async () =>
  (await acme.sql('select id from enablement.rooms where tenant_id = $1 order by id desc limit 1', [acme.id])).rows[0]
