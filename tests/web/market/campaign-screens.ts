import { unknownId } from '../screen-records.ts'
import type { Screen } from '../screens.ts'

/** The screens of campaigns. */
export const campaignScreens: readonly Screen[] = [
  {
    name: 'Campaigns',
    route: '/campaigns',
    request: '**/api/campaigns/?*',
    empty: 'No current campaign',
    filled: 'Webinar: pipeline reviews that work',
    requests: 1,
    isOnPhone: true,
  },
  {
    name: 'Campaigns without a match',
    route: '/campaigns',
    path: '/campaigns?type=event&q=unknown',
    filled: 'No campaign matches',
    requests: 1,
  },
  {
    name: 'Campaign',
    route: '/campaigns/$campaignId',
    path: ({ campaign }) => `/campaigns/${campaign}`,
    request: '**/api/campaigns/0*',
    filled: 'Deals that it touched',
    requests: 3,
    isOnPhone: true,
  },
  {
    name: 'People of a campaign',
    route: '/campaigns/$campaignId',
    path: ({ campaign }) => `/campaigns/${campaign}?tab=people`,
    request: '**/api/campaigns/*/members?*',
    filled: 'Anna Keller',
    requests: 2,
    isOnPhone: true,
  },
  {
    name: 'Settings of a campaign',
    route: '/campaigns/$campaignId',
    path: ({ campaign }) => `/campaigns/${campaign}?tab=settings`,
    filled: 'Link with UTM values',
    requests: 1,
    isOnPhone: true,
  },
  {
    name: 'Settings of a campaign, for a viewer',
    route: '/campaigns/$campaignId',
    path: ({ campaign }) => `/campaigns/${campaign}?tab=settings`,
    user: 'viewer',
    filled: 'Statuses of people',
    requests: 1,
  },
  {
    name: 'Campaign without people',
    route: '/campaigns/$campaignId',
    path: ({ draft }) => `/campaigns/${draft}`,
    filled: 'Who should take part?',
    requests: 3,
    isOnPhone: true,
  },
  {
    name: 'Campaign that does not exist',
    route: '/campaigns/$campaignId',
    path: `/campaigns/${unknownId}`,
    filled: 'This campaign does not exist',
    requests: 1,
  },
]
