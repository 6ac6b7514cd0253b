import { areaKeys } from '../../../api/area-keys.ts'
import { Muted, NameCell, RowCard, SinceCell } from '../../../patterns/list/cells.tsx'
import type { ColumnDefinition, ListDefinition } from '../../../patterns/list/list-definition.ts'
import { campaignPeopleTexts as texts } from '../../../texts/en/campaign-people-texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Campaign, MemberStatus } from '../campaign-queries.ts'
import { type MemberFilters, type MemberQuery, type MemberSort, memberSearch, toMemberQuery } from './member-search.ts'
import { loadMemberPage, type Member } from './members-api.ts'

type ColumnKey = keyof typeof texts.columns

const standardColumns: readonly ColumnKey[] = ['name', 'company', 'status', 'kind', 'responded', 'added', 'via']

export const nameOfMember = ({ lead, contact }: Member): string =>
  (contact ?? lead)?.name ?? (contact ?? lead)?.email ?? texts.noName

export const pathOfMember = ({ lead, contact }: Member): string | undefined =>
  contact ? `/contacts/${contact.id}` : lead ? `/leads/${lead.id}` : undefined

const companyOf = ({ lead, contact }: Member): string | null =>
  contact ? contact.account_name : (lead?.company ?? null)

type Statuses = readonly MemberStatus[]

export const labelOfStatus = (statuses: Statuses, key: string): string =>
  statuses.find((status) => status.key === key)?.label ?? key

/** A response is green. Statuses have names of the user, so that no other color has a meaning. */
export const MemberBadge = ({ statuses, status }: { statuses: Statuses; status: string }) => (
  <Badge hue={statuses.find(({ key }) => key === status)?.is_response ? 'success' : 'neutral'}>
    {labelOfStatus(statuses, status)}
  </Badge>
)

/** The list of the people of one campaign. */
export function createMemberList({
  id,
  member_statuses: statuses,
}: Pick<Campaign, 'id' | 'member_statuses'>): ListDefinition<Member, MemberQuery> {
  return {
    path: `/campaigns/${id}`,
    search: memberSearch,
    standardView: () => 'all',
    toQuery: (filters: MemberFilters, sort, today) => toMemberQuery(filters, sort as MemberSort, today),
    keyOf: (query) => areaKeys.campaigns.members(id, query),
    load: loadMemberPage(id),
    name: 'campaign-people',
    texts,
    filters: {
      status: { choices: statuses.map(({ key, label }) => ({ value: key, label })), isSingle: true },
      responded: {
        choices: [
          { value: 'yes', label: texts.hasResponded.yes },
          { value: 'no', label: texts.hasResponded.no },
        ],
        isSingle: true,
      },
      added: { dialog: 'period' },
      respondedOn: { dialog: 'period' },
      q: { isHidden: true },
    },
    columns: columnsOf(statuses),
    standardColumns,
    nameOf: nameOfMember,
  }
}

const columnsOf = (statuses: Statuses): Readonly<Record<ColumnKey, ColumnDefinition<Member>>> => ({
  name: {
    width: 'minmax(170px, 2fr)',
    render: (member) => <NameCell name={nameOfMember(member)} detail={(member.contact ?? member.lead)?.email} />,
  },
  company: {
    width: 'minmax(130px, 1.2fr)',
    minListWidth: 760,
    render: (member) => <Muted>{companyOf(member)}</Muted>,
  },
  status: {
    width: 'minmax(128px, 0.8fr)',
    render: ({ status }) => <MemberBadge statuses={statuses} status={status} />,
  },
  kind: {
    width: '92px',
    minListWidth: 900,
    render: ({ contact }) => <Muted>{contact ? texts.kinds.contact : texts.kinds.lead}</Muted>,
  },
  responded: {
    width: '112px',
    minListWidth: 560,
    render: ({ responded_at: at }, options) => <SinceCell at={at} {...options} />,
  },
  added: {
    width: '112px',
    minListWidth: 660,
    sort: '-first_touched_at',
    render: ({ first_touched_at: at }, options) => <SinceCell at={at} {...options} />,
  },
  via: {
    width: '112px',
    minListWidth: 1000,
    render: ({ added_via: via }) => <Muted>{texts.vias[via]}</Muted>,
  },
})

export const MemberCard = ({ member, statuses }: { member: Member; statuses: Statuses }) => (
  <RowCard
    name={nameOfMember(member)}
    detail={companyOf(member) ?? (member.contact ?? member.lead)?.email}
    status={<MemberBadge statuses={statuses} status={member.status} />}
  />
)
