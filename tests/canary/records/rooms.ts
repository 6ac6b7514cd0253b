import { createItem, publishItem } from '../../../src/modules/library/content/content.fixture.ts'
import { addIds, type CanaryWorkspace, succeed } from '../canary-workspace.ts'

/** Gets an email with a link, but not its password. */
export const recipientAddress = 'recipient@customer.example'

const roomsUrl = '/api/enablement/rooms/'

/** A room of the owner behind a password, with parts that visitors must not see and content of the team of the owner. */
export async function createRoomRecords(canary: CanaryWorkspace): Promise<void> {
  const { acme, word, register, users, teamId, links } = canary
  const { owner } = users
  const { id: itemId } = await createItem(users.manager, {
    title: word('team content in room'),
    audience_team_ids: [teamId],
  })
  await publishItem(acme, itemId)
  const password = word('room password')
  const { body: room } = await succeed(
    owner.post(roomsUrl, { name: 'Globex deal', public_title: word('gated room title'), share: { password } }),
  )
  const url = `${roomsUrl}${room.id}`
  const hidden = { kind: 'text', title: 'Notes', body: word('hidden room item'), is_visible: false }
  await succeed(owner.post(`${url}/content`, { content_item_id: itemId }))
  await succeed(owner.post(`${url}/content`, hidden))
  await succeed(owner.post(`${url}/plan`, { title: word('internal plan step'), side: 'seller', is_internal: true }))
  await succeed(owner.patch(url, { status: 'active' }))
  const allowed = [`${word('room allowed address')}@customer.example`]
  await succeed(owner.post(`${url}/links`, { label: word('room link label'), access: 'allow_list', allowed }))
  const person = { last_name: 'Byron', email: recipientAddress }
  const { body: recipient } = await succeed(owner.post('/api/contacts/', person))
  const sent = { recipient_contact_id: recipient.id, send_email: true, password }
  await succeed(owner.post(`${url}/links`, sent))
  const token = room.share.share_token
  register('room link token', token)
  Object.assign(links, { room: `${roomsUrl}public/${token}`, roomPage: `/r/${token}` })
  const visitor = { email: `${word('room visitor address')}@customer.example`, name: 'Ada', password }
  const { body: visit } = await succeed(acme.anonymous.post(`${links.room}/visit`, visitor))
  links.visitToken = visit.visit_token
  await acme.sql('update enablement.room_visits set active_seconds = 20, counted_at = now() where room_id = $1', [
    room.id,
  ])
  addIds(canary, { room: room.id, visited_room: room.id, content_item: itemId, published_content_item: itemId })
}
