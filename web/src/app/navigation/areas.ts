import {
  Building2,
  CircleCheck,
  Columns3,
  Contact,
  FileUp,
  Funnel,
  House,
  Inbox,
  type LucideIcon,
  MailX,
  Megaphone,
  Settings,
  Trash2,
  UserRoundCog,
  UsersRound,
  Waypoints,
} from 'lucide-react'
import {
  deleteLead,
  listAccounts,
  listCadences,
  listCampaigns,
  listContacts,
  listLeadImports,
  listLeads,
  listOpenTasks,
  listOpportunities,
  listSegments,
  listSuppressions,
  listUsers,
} from '../../api/access.gen.ts'
import type { FoundRecord } from '../../patterns/recent-records.ts'
import { type Access, type Me, may } from '../../session/me.ts'
import { shellTexts as texts } from '../../texts/en/shell-texts.ts'
import type { Group } from './navigation-order.ts'

export type Area = {
  path: string
  label: string
  icon: LucideIcon
  group: Group | 'start'
  /** The key after `g`. */
  key?: string
  /** The type of its records in the search of all records. */
  record?: FoundRecord['type']
  /** The operation without which the area is left out. */
  access?: Access
}

/** The pages of the navigation, the command menu and the keys. An area with a route gets its row here. */
const areas: readonly Area[] = [
  { path: '/', label: texts.home, icon: House, group: 'start', key: 'h' },
  { path: '/inbox', label: texts.inbox, icon: Inbox, group: 'start', key: 'i' },
  { path: '/tasks', label: texts.tasks, icon: CircleCheck, group: 'start', key: 't', access: listOpenTasks },
  { path: '/leads', label: texts.leads, icon: UsersRound, group: 'sell', key: 'l', record: 'lead', access: listLeads },
  {
    path: '/deals',
    label: texts.deals,
    icon: Columns3,
    group: 'sell',
    key: 'd',
    record: 'opportunity',
    access: listOpportunities,
  },
  {
    path: '/accounts',
    label: texts.accounts,
    icon: Building2,
    group: 'sell',
    key: 'a',
    record: 'account',
    access: listAccounts,
  },
  {
    path: '/contacts',
    label: texts.contacts,
    icon: Contact,
    group: 'sell',
    key: 'c',
    record: 'contact',
    access: listContacts,
  },
  {
    path: '/campaigns',
    label: texts.campaigns,
    icon: Megaphone,
    group: 'market',
    key: 'm',
    record: 'campaign',
    access: listCampaigns,
  },
  {
    path: '/segments',
    label: texts.segments,
    icon: Funnel,
    group: 'market',
    key: 's',
    record: 'segment',
    access: listSegments,
  },
  {
    path: '/cadences',
    label: texts.cadences,
    icon: Waypoints,
    group: 'market',
    key: 'q',
    record: 'cadence',
    access: listCadences,
  },
  { path: '/imports', label: texts.imports, icon: FileUp, group: 'data', access: listLeadImports },
  { path: '/suppressions', label: texts.suppressions, icon: MailX, group: 'data', access: listSuppressions },
  { path: '/people', label: texts.people, icon: UserRoundCog, group: 'workspace', key: 'p', access: listUsers },
  { path: '/trash', label: texts.trash, icon: Trash2, group: 'workspace', access: deleteLead },
  { path: '/settings', label: texts.settings, icon: Settings, group: 'workspace', key: ',' },
]

export const areasOf = (me: Me): Area[] => areas.filter(({ access }) => !access || may(me, access))
