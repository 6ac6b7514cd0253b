import type { HomePart } from '#modules/identity'
import { HomeAudience } from './home.schemas.ts'
import { getHomeAudience } from './home-audience.service.ts'

export const marketingHomeParts: HomePart[] = [
  { name: 'audience', scopes: ['campaigns.read', 'cadences.read'], schema: HomeAudience, load: getHomeAudience },
]
