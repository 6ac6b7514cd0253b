import { UserRoundMinus } from 'lucide-react'
import { useState } from 'react'
import { removeCampaignMembers } from '../../../api/access.gen.ts'
import { BulkBar, type Chosen } from '../../../patterns/list/bulk/bulk-bar.tsx'
import { needsConfirmation } from '../../../patterns/list/bulk/confirmation.ts'
import type { List } from '../../../patterns/list/use-list.ts'
import { useCommands } from '../../../session/commands.ts'
import { may } from '../../../session/me.ts'
import { campaignPeopleTexts } from '../../../texts/en/campaign-people-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import type { Campaign } from '../campaign-queries.ts'
import { mayRemoveMembers } from '../record/campaign-actions.ts'
import { ConfirmMembers } from './confirm-members.tsx'
import type { MemberQuery } from './member-search.ts'
import type { Member } from './members-api.ts'
import { type MemberChange, type MemberSelection, useMemberChanges } from './use-member-changes.ts'

const texts = campaignPeopleTexts.bulk
/** Statuses that have a key. */
const keyCount = 9

type ActionsProps = {
  campaign: Campaign
  list: Pick<List<Member, MemberQuery>, 'definition' | 'query' | 'me' | 'pages'>
  chosen: Chosen
  /** The row that keys act on while no row is chosen. */
  active: Member | undefined
}

/** Sets the status of the chosen people or removes them. Digits set the status of the chosen people or the active one. */
export function MemberActions({ campaign, list, chosen, active }: ActionsProps) {
  const { me, query } = list
  const { member_statuses: statuses } = campaign
  const changes = useMemberChanges(campaign, chosen.clear)
  const [asked, setAsked] = useState<MemberChange>()
  const isMatching = chosen.allMatching !== null
  const selection: MemberSelection = { ids: [...chosen.ids], count: chosen.count, ...(isMatching && { query }) }
  const start = (change: MemberChange, isByKey = false) => {
    const amount = { kind: isMatching ? ('matching' as const) : ('ids' as const), count: chosen.count }
    if (change.status === undefined || needsConfirmation(amount, isByKey)) setAsked(change)
    else void changes.run(change, selection)
  }
  const setByKey = (status: string) => {
    if (chosen.count > 0) return start({ status }, true)
    if (active && active.status !== status) void changes.run({ status }, { ids: [active.id], count: 1 }, active.status)
  }
  useCommands(
    statuses.slice(0, keyCount).map(({ key, label }, at) => ({
      id: `campaign-people:status:${key}`,
      label: campaignPeopleTexts.setTo(label),
      group: campaignPeopleTexts.title,
      keys: [String(at + 1)],
      isAvailable: chosen.count > 0 || active !== undefined,
      run: () => setByKey(key),
    })),
  )
  return (
    <>
      {chosen.count > 0 && (
        <BulkBar list={list} chosen={chosen} texts={texts} isRunning={changes.isRunning}>
          <MenuButton
            variant="secondary"
            size="small"
            label={texts.setStatus}
            items={statuses.map(({ key, label }, at) => ({
              label,
              isDisabled: changes.isRunning,
              ...(at < keyCount && { keys: String(at + 1) }),
              run: () => start({ status: key }),
            }))}
          >
            {texts.setStatus}
          </MenuButton>
          {may(me, removeCampaignMembers) && mayRemoveMembers(me, campaign) && (
            <Button
              size="small"
              icon={<UserRoundMinus size={14} />}
              disabled={changes.isRunning}
              onClick={() => start({})}
            >
              {texts.remove}
            </Button>
          )}
        </BulkBar>
      )}
      {asked && (
        <ConfirmMembers
          campaign={campaign}
          change={asked}
          count={selection.count}
          proceed={() => {
            setAsked(undefined)
            void changes.run(asked, selection)
          }}
          close={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
