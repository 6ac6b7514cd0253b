import { unknownId } from '../screen-records.ts'
import type { Screen } from '../screens.ts'

/** The screens of segments. */
export const segmentScreens: readonly Screen[] = [
  {
    name: 'Segments',
    route: '/segments',
    request: '**/api/segments?*',
    empty: 'No segments yet',
    filled: 'Warm in logistics and energy',
    requests: 1,
    isOnPhone: true,
  },
  { name: 'Segments without a match', route: '/segments', path: '/segments?q=unknown', filled: 'No segment matches' },
  {
    name: 'New segment',
    route: '/segments/new',
    request: '**/api/segments/rule-fields/lead',
    filled: 'Start with a condition.',
    requests: 1,
    isOnPhone: true,
  },
  {
    name: 'Segment',
    route: '/segments/$segmentId',
    path: ({ segment }) => `/segments/${segment}`,
    request: '**/api/segments/0*',
    filled: 'Webinar about pipelines',
    requests: 3,
    isOnPhone: true,
  },
  {
    name: 'Segment, for a viewer',
    route: '/segments/$segmentId',
    path: ({ segment }) => `/segments/${segment}`,
    user: 'viewer',
    filled: 'Webinar about pipelines',
  },
  {
    name: 'Members of a list',
    route: '/segments/$segmentId',
    path: ({ segmentList }) => `/segments/${segmentList}`,
    filled: 'Anna Keller',
    isOnPhone: true,
  },
  {
    name: 'Uses of a segment',
    route: '/segments/$segmentId',
    path: ({ segment }) => `/segments/${segment}?tab=uses`,
    filled: 'No other segment uses it.',
    isOnPhone: true,
  },
  {
    name: 'Settings of a segment',
    route: '/segments/$segmentId',
    path: ({ segment }) => `/segments/${segment}?tab=settings`,
    filled: 'Make it a fixed list',
    isOnPhone: true,
  },
  {
    name: 'Segment that does not exist',
    route: '/segments/$segmentId',
    path: `/segments/${unknownId}`,
    filled: 'This segment does not exist',
  },
]
