export { enablement } from './enablement.module.ts'
export {
  findRoomCard,
  listCommunityRoomCards,
  lockRoomCardShared,
  type RoomCard,
} from './rooms/room-cards.queries.ts'
