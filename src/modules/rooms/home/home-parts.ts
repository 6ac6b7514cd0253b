import type { HomePart } from '#modules/identity'
import { HomeRooms } from './home.schemas.ts'
import { getHomeRooms } from './home-rooms.service.ts'

export const enablementHomeParts: HomePart[] = [
  { name: 'rooms', scopes: ['rooms.read'], schema: HomeRooms, load: getHomeRooms },
]
