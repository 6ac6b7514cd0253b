import { accountUpdated } from '#events/crm'
import { findAccountNames } from '#modules/crm'
import { subscribe } from '#platform/outbox'
import { lockRoomNamesOfAccount, updateRoomSearchTexts } from '../records/rooms.queries.ts'
import { roomSearchText } from './room-references.service.ts'

/** Updates the search text of rooms, which contains the name of their account. */
export const onAccountRenamed = subscribe(
  accountUpdated,
  'enablement.follow_account_names',
  async (tx, { subject: { id }, data, isTruncated }) => {
    if (!isTruncated && !data.changed.includes('name')) return
    const rooms = await lockRoomNamesOfAccount(tx, id)
    const name = (await findAccountNames(tx, [id])).get(id)
    const texts = rooms.map((room) => ({ id: room.id, search_text: roomSearchText(room.name, name) }))
    if (texts.length) await updateRoomSearchTexts(tx, texts)
  },
)
