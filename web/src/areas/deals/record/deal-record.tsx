import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ActivityButtons } from '../../../patterns/record/activity-buttons.tsx'
import { Composer, type ComposerKind } from '../../../patterns/record/composer/composer.tsx'
import { ConflictBar } from '../../../patterns/record/conflict-bar.tsx'
import { FieldList } from '../../../patterns/record/field-list.tsx'
import { OneColumn, RecordColumns } from '../../../patterns/record/record-columns.tsx'
import { PanelSection, RecordPanel } from '../../../patterns/record/record-panel.tsx'
import { Timeline } from '../../../patterns/record/timeline.tsx'
import { pipelinesQuery } from '../../../patterns/shared-queries.ts'
import { useWide } from '../../../patterns/use-narrow.ts'
import { useNow } from '../../../patterns/use-now.ts'
import { type Command, useCommands } from '../../../session/commands.ts'
import { can, isManagerOrAdmin, mayDelete, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { dayIn } from '../../../ui/format.ts'
import { type DealAction, listDealCommands } from '../deal-actions.ts'
import type { Deal } from '../deal-queries.ts'
import { useMoveDeal } from '../use-move-deal.ts'
import { DealContacts } from './deal-contacts.tsx'
import { type DealDialog, DealDialogs } from './deal-dialogs.tsx'
import { toDealFields } from './deal-fields.ts'
import { DealHeading } from './deal-heading.tsx'
import styles from './deal-record.module.css'
import { describeStageChange, StageHistory } from './stage-history.tsx'
import { useDealChanges } from './use-deal-changes.ts'
import { useDeleteDeal } from './use-delete-deal.ts'

type Frame = Omit<Parameters<typeof RecordPanel>[0], 'children' | 'menu'>
type RecordProps = {
  deal: Deal
  frame: Frame
  leave: () => void
  isPage?: boolean
  /** An action that a key of the board has started. */
  start?: DealAction
}

const isActivity = (action: DealAction | undefined): action is Exclude<DealAction, 'assign' | 'edit'> =>
  action !== undefined && action !== 'assign' && action !== 'edit'

/** One deal with its fields, people and history, beside the board or as a page. */
export function DealRecord({ deal, frame, leave, isPage = false, start }: RecordProps) {
  const me = useMe()
  const canWrite = can(me, 'opportunities.write')
  const changes = useDealChanges(deal)
  const stages = useQuery(pipelinesQuery).data?.find(({ id }) => id === deal.pipeline_id)?.stages ?? []
  const [dialog, setDialog] = useState<DealDialog | undefined>(start === 'assign' ? 'owner' : undefined)
  const [chosenOwner, chooseOwner] = useState<{ id: string | null; name: string }>()
  const [composer, setComposer] = useState<{ kind: ComposerKind; request: number }>(
    isActivity(start) ? { kind: start, request: 1 } : { kind: 'note', request: 0 },
  )
  const [fieldRequest, setFieldRequest] = useState(start === 'edit' ? 1 : 0)
  const { moveDeal, stageOf } = useMoveDeal()
  const remove = useDeleteDeal(leave)
  const move = (toKey: string) => {
    const stage = stages.find(({ key }) => key === toKey)
    if (!stage || toKey === stageOf(deal)) return
    if (stage.kind === 'open') moveDeal(deal, toKey)
    else setDialog({ deal, stage })
  }
  const startAction = (action: DealAction) => {
    if (action === 'assign') setDialog('owner')
    else if (action === 'edit') setFieldRequest(fieldRequest + 1)
    else setComposer({ kind: action, request: composer.request + 1 })
  }
  const ownerId = deal.owner_id ?? deal.created_by
  const mayRemove = mayDelete(me, 'opportunities', ownerId)
  const mayReopen = canWrite && (ownerId === me.id || isManagerOrAdmin(me))
  const reopen = deal.kind !== 'open' && mayReopen ? () => setDialog('reopen') : undefined
  const moveTo = (kind: 'won' | 'lost') => () => move(stages.find((stage) => stage.kind === kind)?.key ?? '')
  const command = (id: string, label: string, isAvailable: boolean, run: () => void): Command => ({
    id: `deal:${id}`,
    label,
    group: dealTexts.group,
    isAvailable,
    run,
  })
  useCommands([
    ...listDealCommands(canWrite, startAction),
    command('win', dealTexts.win.submit, canWrite && deal.kind === 'open', moveTo('won')),
    command('lose', dealTexts.lose.submit, canWrite && deal.kind === 'open', moveTo('lost')),
    command('reopen', dealTexts.reopen.submit, reopen !== undefined, () => setDialog('reopen')),
    command('delete', dealTexts.delete, mayRemove, () => remove.mutate(deal)),
  ])
  const fields = toDealFields(deal, {
    locale: me.locale,
    today: dayIn(me.tenant.general.timezone, useNow()),
    currency: me.tenant.general.currency,
    owner: {
      nameOf: (id) => (id !== deal.owner_id && id === chosenOwner?.id ? chosenOwner?.name : deal.owner?.name),
      choose: () => setDialog('owner'),
    },
  })
  const record = { type: 'opportunity' as const, id: deal.id }
  const Columns = useWide() && isPage ? RecordColumns : OneColumn
  return (
    <RecordPanel
      {...frame}
      menu={mayRemove ? [{ label: dealTexts.delete, icon: <Trash2 size={15} />, run: () => remove.mutate(deal) }] : []}
    >
      <DealHeading deal={deal} isPage={isPage} move={move} reopen={reopen} />
      {canWrite && <ActivityButtons start={startAction} />}
      <ConflictBar
        changes={changes}
        labelOf={(field) => fields.find((one) => one.field === field)?.label ?? field}
        format={(field, value) => String(fields.find((one) => one.field === field)?.show?.(value) ?? value ?? '')}
      />
      <Columns
        fields={
          <>
            <PanelSection>
              <FieldList fields={fields} changes={changes} canEdit={canWrite} focusRequest={fieldRequest} />
            </PanelSection>
            <PanelSection title={dealTexts.contacts}>
              <DealContacts deal={deal} />
            </PanelSection>
            <PanelSection>
              <StageHistory dealId={deal.id} stages={stages} locale={me.locale} />
            </PanelSection>
          </>
        }
      >
        <div className={styles.activity}>
          <h3>{recordTexts.activity}</h3>
          {canWrite && (
            <Composer
              record={record}
              userId={me.id}
              kind={composer.kind}
              setKind={(kind) => setComposer((before) => ({ ...before, kind }))}
              focusRequest={composer.request}
            />
          )}
          <Timeline
            record={record}
            locale={me.locale}
            canEdit={canWrite}
            describe={({ type, meta }) => (type === 'stage_changed' ? describeStageChange(meta, stages) : undefined)}
          />
        </div>
      </Columns>
      <DealDialogs
        dialog={dialog}
        deal={deal}
        stages={stages}
        close={() => setDialog(undefined)}
        assign={(owner) => {
          chooseOwner(owner)
          if (owner.id !== deal.owner_id) changes.save({ owner_id: owner.id })
        }}
      />
    </RecordPanel>
  )
}
