import { useMutation } from '@tanstack/react-query'
import { Trash2, UserRoundPen, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { useRaisedToasts } from '../../../patterns/use-raised-toasts.ts'
import { can, useMe } from '../../../session/me.ts'
import { bulkTexts as texts } from '../../../texts/en/lead-bulk-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { MenuButton } from '../../../ui/menu.tsx'
import { type DisqualifyReason, type SettableStatus, settableStatuses } from '../lead-status.ts'
import type { toLeadQuery } from '../list-query.ts'
import { type LeadDialog, LeadDialogs } from '../record/lead-dialogs.tsx'
import styles from './bulk.module.css'
import type { BulkSelection } from './bulk-api.ts'
import type { AskedBulkAction } from './bulk-commands.ts'
import type { OfferedAction, Run, StartBulk } from './use-bulk.ts'

export type Chosen = {
  ids: ReadonlySet<string>
  allMatching: number | null
  count: number
  hasAllLoaded: boolean
  selectMatching: (count: number) => void
  clear: () => void
}

type BulkBarProps = {
  chosen: Chosen
  query: ReturnType<typeof toLeadQuery>
  selection: BulkSelection
  hasMore: boolean
  isRunning: boolean
  start: StartBulk
  asked: AskedBulkAction | undefined
  endAsked: () => void
}

/** Offers the actions for the selected leads. */
export function BulkBar({ chosen, query, selection, hasMore, isRunning, start, asked, endAsked }: BulkBarProps) {
  const me = useMe()
  const [dialog, setDialog] = useState<LeadDialog>()
  const { count } = chosen
  const bar = useRef<HTMLElement>(null)
  useRaisedToasts(bar)
  const text = formatNumber(count, me.locale)
  const run = (action: OfferedAction, options: Pick<Run, 'target'> & { isByKey?: boolean } = {}) =>
    start({ action, selection, target: options.target }, options)
  const setStatus = (status: SettableStatus, options: { reason?: DisqualifyReason; isByKey?: boolean } = {}) => {
    const { reason } = options
    if (status === 'unqualified' && !reason) setDialog('reason')
    else run({ action: 'set_status', params: { status, ...(reason && { disqualify_reason: reason }) } }, options)
  }
  const assign = () => setDialog('assign')
  useEffect(() => {
    if (!asked) return
    endAsked()
    if (asked === 'assign') assign()
    else setStatus(asked, { isByKey: true })
  }, [asked])
  const countMatching = useMutation({
    mutationFn: async () => {
      const params = { query: { ...query, fields: 'summary' as const, limit: 1, count: 'exact' as const } }
      return (await read(api.GET('/api/leads/', { params }))).total ?? 0
    },
    onSuccess: chosen.selectMatching,
    onError: (error) => showRepeatableProblem(error, () => countMatching.mutate()),
  })
  return (
    <section ref={bar} className={styles.bar} aria-label={texts.label}>
      <span className={styles.count} role="status">
        {isRunning ? texts.working : texts.selected(count, text)}
      </span>
      {chosen.allMatching === null && chosen.hasAllLoaded && hasMore && (
        <Button size="small" variant="quiet" disabled={countMatching.isPending} onClick={() => countMatching.mutate()}>
          {texts.selectMatching}
        </Button>
      )}
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
        <Button size="small" icon={<Trash2 size={14} />} disabled={isRunning} onClick={() => run({ action: 'delete' })}>
          {texts.remove}
        </Button>
      )}
      <IconButton size="small" label={texts.clear} icon={<X size={15} />} onClick={chosen.clear} />
      <LeadDialogs
        dialog={dialog}
        title={texts.assignTitle(count, text)}
        assignTo={({ id, name }) => run({ action: 'assign', params: { owner_id: id } }, { target: name })}
        disqualify={(reason) => setStatus('unqualified', { reason })}
        close={() => setDialog(undefined)}
      />
    </section>
  )
}
