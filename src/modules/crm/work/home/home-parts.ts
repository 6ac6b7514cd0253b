import type { HomePart } from '#modules/identity'
import { HomeDeals, HomeLeads, HomeTasks } from './home.schemas.ts'
import { getHomeLeads, getHomeTasks } from './home.service.ts'
import { getHomeDeals } from './home-deals.service.ts'

export const crmHomeParts: HomePart[] = [
  {
    name: 'tasks',
    scopes: ['leads.read', 'contacts.read', 'accounts.read', 'opportunities.read'],
    schema: HomeTasks,
    load: getHomeTasks,
  },
  { name: 'leads', scopes: ['leads.read'], schema: HomeLeads, load: getHomeLeads },
  { name: 'deals', scopes: ['opportunities.read'], schema: HomeDeals, load: getHomeDeals },
]
