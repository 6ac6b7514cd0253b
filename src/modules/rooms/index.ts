export { countActiveRooms, countPlacements, countShares, listRoomFacts, type RoomFacts } from './facts/facts.queries.ts'
export {
  findRoomSummary,
  listCommunityRoomSummaries,
  lockRoomSummaryShared,
  type RoomSummary,
} from './rooms/list-rooms.queries.ts'
export { rooms } from './rooms.module.ts'
export { createBuyerViews } from './sample-data/create-buyer-views.service.ts'
