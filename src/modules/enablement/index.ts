export { enablement } from './enablement.module.ts'
export {
  findRoomSummary,
  listCommunityRoomSummaries,
  lockRoomSummaryShared,
  type RoomSummary,
} from './rooms/room-cards.queries.ts'
