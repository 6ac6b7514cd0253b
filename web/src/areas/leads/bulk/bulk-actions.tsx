import { Trash2, UserRoundPen } from 'lucide-react'
import { useEffect, useState } from 'react'
import { BulkActions, type StartBulk } from '../../../patterns/list/bulk/bulk-actions.tsx'
import type { Chosen } from '../../../patterns/list/bulk/bulk-bar.tsx'
import { can, useMe } from '../../../session/me.ts'
import { bulkTexts as texts } from '../../../texts/en/lead-bulk-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { MenuButton } from '../../../ui/menu.tsx'
import { type DisqualifyReason, type SettableStatus, settableStatuses } from '../lead-status.ts'
import type { LeadList } from '../list/use-lead-list.ts'
import { toListFilters } from '../list-query.ts'
import { type LeadDialog, LeadDialogs } from '../record/lead-dialogs.tsx'
import { leadBulk } from './bulk-api.ts'
import type { AskedBulkAction } from './bulk-commands.ts'
import type { BulkAction } from './describe-action.ts'

type AskProps = { asked: AskedBulkAction | undefined; endAsked: () => void }

export const LeadBulkActions = ({ list, chosen, ...asking }: { list: LeadList; chosen: Chosen } & AskProps) => (
  <BulkActions
    definition={leadBulk}
    list={list}
    chosen={chosen}
    filters={toListFilters(list.filters, list.today)}
    renderActions={(slot) => <LeadActions count={chosen.count} {...slot} {...asking} />}
  />
)

type LeadActionsProps = { count: number; start: StartBulk<BulkAction>; isRunning: boolean } & AskProps

function LeadActions({ count, start, isRunning, asked, endAsked }: LeadActionsProps) {
  const me = useMe()
  const [dialog, setDialog] = useState<LeadDialog>()
  const setStatus = (status: SettableStatus, options: { reason?: DisqualifyReason; isByKey?: boolean } = {}) => {
    const { reason, isByKey } = options
    if (status === 'unqualified' && !reason) setDialog('reason')
    else start({ action: 'set_status', params: { status, ...(reason && { disqualify_reason: reason }) } }, { isByKey })
  }
  const assign = () => setDialog('assign')
  useEffect(() => {
    if (!asked) return
    endAsked()
    if (asked === 'assign') assign()
    else setStatus(asked, { isByKey: true })
  }, [asked])
  return (
    <>
      <Button size="small" icon={<UserRoundPen size={14} />} keys="a" disabled={isRunning} onClick={assign}>
        {texts.assign}
      </Button>
      <MenuButton
        variant="secondary"
        size="small"
        label={texts.setStatus}
        items={settableStatuses.map((status, at) => ({
          label: leadTexts.statuses[status],
          keys: String(at + 1),
          run: () => setStatus(status),
        }))}
      >
        {texts.status}
      </MenuButton>
      {can(me, 'leads.delete') && (
        <Button
          size="small"
          icon={<Trash2 size={14} />}
          disabled={isRunning}
          onClick={() => start({ action: 'delete' })}
        >
          {texts.remove}
        </Button>
      )}
      <LeadDialogs
        dialog={dialog}
        title={texts.assignTitle(count, formatNumber(count, me.locale))}
        assignTo={({ id, name }) => start({ action: 'assign', params: { owner_id: id } }, { target: name })}
        disqualify={(reason) => setStatus('unqualified', { reason })}
        close={() => setDialog(undefined)}
      />
    </>
  )
}
