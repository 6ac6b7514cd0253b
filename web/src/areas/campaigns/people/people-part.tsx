import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { listCampaignMembers } from '../../../api/access.gen.ts'
import { useListCommands } from '../../../patterns/grid/use-list-commands.ts'
import { useSelection } from '../../../patterns/grid/use-selection.ts'
import { FilterBar } from '../../../patterns/list/filter-bar.tsx'
import styles from '../../../patterns/list/list.module.css'
import { KeyHint, ListFoot } from '../../../patterns/list/list-foot.tsx'
import { ListGrid } from '../../../patterns/list/list-grid.tsx'
import { NoMatch } from '../../../patterns/list/no-match.tsx'
import { useList } from '../../../patterns/list/use-list.ts'
import { PageBar } from '../../../patterns/page-header.tsx'
import { NoPermissionState } from '../../../patterns/states.tsx'
import { useCommands } from '../../../session/commands.ts'
import { may, useMe } from '../../../session/me.ts'
import { campaignPeopleTexts as texts } from '../../../texts/en/campaign-people-texts.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import type { Campaign } from '../campaign-queries.ts'
import { listWaysToAdd, type OpenDialog } from '../record/campaign-actions.ts'
import { NoPeople } from '../results/no-people.tsx'
import { MemberActions } from './member-actions.tsx'
import { createMemberList, MemberCard, pathOfMember } from './member-list.tsx'
import type { Member } from './members-api.ts'
import ownStyles from './people.module.css'
import { mayChangeMembers } from './use-member-changes.ts'

type PeopleProps = { campaign: Campaign; open: OpenDialog; leave: () => void }

export function PeoplePart(props: PeopleProps) {
  const me = useMe()
  return may(me, listCampaignMembers) ? <MemberList {...props} /> : <NoPermissionState area={texts.area} />
}

/** The people of a campaign, with their statuses. */
function MemberList({ campaign, open, leave }: PeopleProps) {
  const { id, member_statuses: statuses } = campaign
  const definition = useMemo(() => createMemberList(campaign), [id, statuses])
  const list = useList(definition)
  const { pages, filters, me } = list
  const navigate = useNavigate()
  const searchField = useRef<HTMLInputElement>(null)
  const chosen = useSelection({ name: list.name, getRow: pages.getRow, loaded: pages.loaded })
  const mayChange = mayChangeMembers(me, campaign)
  const ways = listWaysToAdd(me, campaign)
  const openRow = (member: Member) => {
    const path = pathOfMember(member)
    if (path) void navigate({ to: path as '/' })
  }
  const cursor = useListCommands({
    rows: pages,
    open: (index) => {
      const member = pages.getRow(index)
      if (member) openRow(member)
    },
    close: () => (chosen.count > 0 ? chosen.clear() : leave()),
    isPanelOpen: false,
    ...(mayChange && { toggle: chosen.toggle, toggleRange: chosen.toggleRange }),
  })
  const command = (key: string, keys: string, label: string, isAvailable: boolean, run: () => void) => ({
    id: `campaign-people:${key}`,
    label,
    group: texts.title,
    keys: [keys],
    isAvailable,
    run,
  })
  useCommands([
    command('search', '/', texts.search, true, () => searchField.current?.focus()),
    command('add', 'c', texts.create, ways.length > 0, () => open(ways[0]!)),
    command('all', 'Mod+a', texts.selectAll, mayChange, chosen.selectLoaded),
  ])
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <div className={ownStyles.bar}>
        <PageBar>
          <FilterBar list={list} searchField={searchField} />
        </PageBar>
      </div>
      <div className={styles.split}>
        <div className={`${styles.list} ${pages.isRefreshing ? styles.refreshing : ''}`}>
          <ListGrid
            list={list}
            cursor={cursor}
            selection={mayChange ? chosen.selection : undefined}
            create={ways.length > 0 ? () => open(ways[0]!) : undefined}
            openRow={openRow}
            renderCard={(member) => <MemberCard member={member} statuses={statuses} />}
            renderEmpty={({ chips }) =>
              isFiltered ? (
                <NoMatch title={texts.empty.filteredTitle} text={texts.empty.filteredText} chips={chips} />
              ) : (
                <NoPeople ways={ways} open={open} />
              )
            }
          />
          {pages.rowCount > 0 && (
            <ListFoot
              list={list}
              activeIndex={cursor.index}
              hints={mayChange && <KeyHint keys="x">{listTexts.foot.select}</KeyHint>}
            />
          )}
          {mayChange && (
            <MemberActions
              campaign={campaign}
              list={list}
              chosen={chosen}
              active={chosen.count > 0 ? undefined : pages.getRow(cursor.index)}
            />
          )}
        </div>
      </div>
    </>
  )
}
