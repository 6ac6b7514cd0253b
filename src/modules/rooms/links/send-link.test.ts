import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForValue } from '#testing'
import { startRoomApp } from '../visits/visits.fixture.ts'

const { acme, clock, tenant, mails, createRoom, createActiveRoom, startTestWorker } = await startRoomApp()
const { member: seller } = acme
await startTestWorker()

async function createContact(email: string | null) {
  const { status, body } = await seller.post('/api/contacts/', { first_name: 'Ann', last_name: 'Lee', email })
  assert.equal(status, 201)
  return body.id as string
}
const stateOf = (linkId: string) =>
  waitForValue(
    async () => {
      const { rows } = await acme.sql('select state, skip_reason from crm.email_messages where ref_id = $1', [linkId])
      return rows[0]
    },
    (message) => message !== undefined && !['waiting', 'claimed'].includes(message.state),
  )

test('a link is sent to its contact, who opens the room with a known email address', async () => {
  const room = await createActiveRoom({ public_title: 'Offer for Globex' })
  const contactId = await createContact('ann@buyer.example')

  const link = await seller.post(`${room.url}/links`, {
    recipient_contact_id: contactId,
    access: 'email',
    send_email: true,
  })
  const [mail] = await mails('ann@buyer.example', 1)
  const url = /http\S+\/r\/[\w-]{43}/.exec(mail!.text!)![0]
  const visit = await acme.anonymous.post(
    `/api/enablement/rooms/public/${url.split('/r/')[1]}/visit`,
    {},
    { 'user-agent': 'Safari' },
  )

  assert.equal(link.status, 201)
  assert.equal(url, link.body.url)
  assert.equal(mail!.subject, `${seller.name} shared "Offer for Globex" with you`)
  assert.match(mail!.text!, /Unsubscribe: /)
  assert.deepEqual([visit.status, visit.body.identity], [201, 'claimed'])
  const { rows } = await acme.sql(
    `select changes from platform.audit_log where action = 'room.link_sent' and resource_id = $1`,
    [room.id],
  )
  assert.equal(rows.length, 1)
  assert.ok((await acme.events()).includes('room.link_sent'))
})

test('the email of a gated link does not name the room', async () => {
  const room = await createActiveRoom({ name: 'Globex deal', public_title: 'Offer for Globex' })
  const contactId = await createContact('bob@buyer.example')

  await seller.post(`${room.url}/links`, {
    recipient_contact_id: contactId,
    password: 'open-sesame',
    send_email: true,
  })
  const [mail] = await mails('bob@buyer.example', 1)

  assert.equal(mail!.subject, `${seller.name} shared a page with you`)
  assert.match(mail!.text!, /You need the password/)
  assert.doesNotMatch(`${mail!.subject}${mail!.text}${mail!.html}`, /Globex|open-sesame/)
})

test('the email of a link does not repeat a title that leads to another domain', async () => {
  const room = await createActiveRoom({ public_title: 'Sign in at https://evil.example' })
  const contactId = await createContact('dan@buyer.example')

  await seller.post(`${room.url}/links`, { recipient_contact_id: contactId, send_email: true })
  const [mail] = await mails('dan@buyer.example', 1)

  assert.equal(mail!.subject, `${seller.name} shared a page with you`)
  assert.doesNotMatch(`${mail!.text}${mail!.html}`, /evil/)
})

test('contacts who opted out get no email', async () => {
  const room = await createActiveRoom()
  const contactId = await createContact('out@buyer.example')
  const optOut = await acme.manager.put(`/api/contacts/${contactId}/consent`, {
    email_status: 'unsubscribed',
    basis: 'legitimate_interest',
    source: 'phone call',
  })
  assert.equal(optOut.status, 200)

  const link = await seller.post(`${room.url}/links`, { recipient_contact_id: contactId, send_email: true })

  assert.equal(link.status, 201)
  assert.deepEqual(await stateOf(link.body.id), { state: 'skipped', skip_reason: 'opted_out' })
})

test('a link that was revoked before the email is sent is not sent', async () => {
  const room = await createActiveRoom()
  const contactId = await createContact('late@buyer.example')
  const link = await seller.post(`${room.url}/links`, { recipient_contact_id: contactId })
  await acme.sql(
    `insert into crm.email_messages (tenant_id, id, kind, ref_id, to_address, to_key, contact_id, run_at)
     values ($1, gen_random_uuid(), 'room_link', $2, 'late@buyer.example', 'late@buyer.example', $3, $4)`,
    [acme.id, link.body.id, contactId, clock.now()],
  )

  await seller.patch(`${room.url}/links/${link.body.id}`, { revoked: true })
  const other = await createContact('other@buyer.example')
  await seller.post(`${room.url}/links`, { recipient_contact_id: other, send_email: true })

  assert.deepEqual(await stateOf(link.body.id), { state: 'skipped', skip_reason: 'link_not_live' })
})

test('only links to contacts with an email address can be sent, and only of active rooms', async () => {
  const [room, draft] = [await createActiveRoom(), await createRoom()]
  const [contactId, silentId] = [await createContact('cleo@buyer.example'), await createContact(null)]
  const draftUrl = `/api/enablement/rooms/${draft.id}/links`
  const other = await tenant()

  const responses = [
    await seller.post(`${room.url}/links`, { send_email: true }),
    await seller.post(`${room.url}/links`, { recipient_contact_id: silentId, send_email: true }),
    await seller.post(draftUrl, { recipient_contact_id: contactId, send_email: true }),
    await acme.viewer.post(`${room.url}/links`, { recipient_contact_id: contactId, send_email: true }),
    await (await acme.person('member')).post(`${room.url}/links`, {
      recipient_contact_id: contactId,
      send_email: true,
    }),
    await other.member.post(`${room.url}/links`, { recipient_contact_id: contactId, send_email: true }),
  ]

  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.errors?.[0]?.path ?? body.code]),
    [
      [422, '/send_email'],
      [422, '/send_email'],
      [409, 'conflict'],
      [403, 'scope_required'],
      [403, 'role_required'],
      [404, 'not_found'],
    ],
  )
  const links = (await seller.get(`/api/enablement/rooms/${draft.id}`)).body.links
  assert.equal(links.length, 1)
})

test('a link is sent again at most three times per hour', async () => {
  const room = await createActiveRoom()
  const contactId = await createContact('often@buyer.example')
  const link = await seller.post(`${room.url}/links`, { recipient_contact_id: contactId, send_email: true })
  const url = `${room.url}/links/${link.body.id}`
  const sendAgain = async () => (await seller.patch(url, { send_email: true })).status

  assert.deepEqual([await sendAgain(), await sendAgain(), await sendAgain()], [200, 200, 429])
  const renamed = await seller.patch(url, { label: 'Often' })
  clock.advance(3_601)
  const later = await (await acme.person('admin')).patch(url, { send_email: true })
  assert.deepEqual([renamed.status, later.status], [200, 200])
  assert.equal((await mails('often@buyer.example', 4)).length, 4)
})
