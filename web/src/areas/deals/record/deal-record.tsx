import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { type Command, useCommands } from '../../../app/commands.ts'
import { can, mayDelete, useMe } from '../../../app/me.ts'
import { PersonPicker } from '../../../patterns/person-picker.tsx'
import { Composer, type ComposerKind } from '../../../patterns/record/composer.tsx'
import { ConflictBar } from '../../../patterns/record/conflict-bar.tsx'
import { FieldList } from '../../../patterns/record/field-list.tsx'
import { PanelSection, RecordPanel } from '../../../patterns/record/record-panel.tsx'
import { Timeline } from '../../../patterns/record/timeline.tsx'
import { useSaveFields } from '../../../patterns/record/use-save-fields.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { CloseDealDialog, type Closing } from '../close-deal.tsx'
import { type Deal, pipelinesQuery, readDeal, refreshDeals, storeDeal, updateDeal } from '../deal-queries.ts'
import { useMoveDeal } from '../use-move-deal.ts'
import { DealContacts } from './deal-contacts.tsx'
import { readDealValue, toDealChanges, toDealFields } from './deal-fields.ts'
import { DealHeading } from './deal-heading.tsx'
import styles from './deal-record.module.css'
import { OwnerField } from './owner-field.tsx'
import { StageHistory } from './stage-history.tsx'
import { useDeleteDeal } from './use-delete-deal.ts'

const ReopenDialog = lazy(() => import('../forms/reopen-dialog.tsx').then((part) => ({ default: part.ReopenDialog })))

type Frame = Omit<Parameters<typeof RecordPanel>[0], 'children' | 'menu'>
type RecordProps = { deal: Deal; frame: Frame; leave: () => void; isPage?: boolean }

/** One deal with its fields, people and history, beside the board or as a page. */
export function DealRecord({ deal, frame, leave, isPage = false }: RecordProps) {
  const me = useMe()
  const canWrite = can(me, 'opportunities.write')
  const changes = useDealChanges(deal)
  const stages = useQuery(pipelinesQuery).data?.find(({ id }) => id === deal.pipeline_id)?.stages ?? []
  const [dialog, setDialog] = useState<'owner' | 'reopen' | Closing>()
  const [composer, setComposer] = useState<{ kind: ComposerKind; request: number }>({ kind: 'note', request: 0 })
  const closeDialog = () => setDialog(undefined)
  const moveDeal = useMoveDeal()
  const remove = useDeleteDeal(leave)
  const move = (toKey: string) => {
    const stage = stages.find(({ key }) => key === toKey)
    if (!stage || toKey === deal.stage_key) return
    if (stage.kind === 'open') moveDeal(deal, toKey)
    else setDialog({ deal, stage })
  }
  const mayRemove = mayDelete(me, 'opportunities', deal.owner_id ?? deal.created_by)
  const mayReopen =
    canWrite && ((deal.owner_id ?? deal.created_by) === me.id || me.role === 'manager' || me.role === 'admin')
  const reopen = deal.kind !== 'open' && mayReopen ? () => setDialog('reopen') : undefined
  const compose = (kind: ComposerKind) => setComposer(({ request }) => ({ kind, request: request + 1 }))

  const { group, commands: labels } = dealTexts
  const command = (id: string, label: string, run: () => void, isAvailable: boolean, key?: string): Command => ({
    id: `deal:${id}`,
    label,
    group,
    keys: key ? [key] : undefined,
    isAvailable,
    run,
  })
  const moveTo = (kind: 'won' | 'lost') => () => move(stages.find((stage) => stage.kind === kind)?.key ?? '')
  useCommands([
    command('call', labels.call, () => compose('call'), canWrite, 'l'),
    command('note', labels.note, () => compose('note'), canWrite, 'n'),
    command('task', labels.task, () => compose('task'), canWrite, 't'),
    command('assign', labels.assign, () => setDialog('owner'), canWrite, 'a'),
    command('win', dealTexts.win.submit, moveTo('won'), canWrite && deal.kind === 'open'),
    command('lose', dealTexts.lose.submit, moveTo('lost'), canWrite && deal.kind === 'open'),
    command('reopen', dealTexts.reopen.submit, () => setDialog('reopen'), reopen !== undefined),
    command('delete', labels.delete, () => remove.mutate(deal), mayRemove),
  ])
  const fields = toDealFields(deal, me.locale, me.tenant.general.currency)
  const record = { type: 'opportunity' as const, id: deal.id }
  return (
    <RecordPanel
      {...frame}
      menu={mayRemove ? [{ label: labels.delete, icon: <Trash2 size={15} />, run: () => remove.mutate(deal) }] : []}
    >
      <DealHeading deal={deal} isPage={isPage} move={move} reopen={reopen} />
      <ConflictBar
        changes={changes}
        labelOf={(field) => fields.find((one) => one.field === field)?.label ?? dealTexts.owner}
        format={(field, value) => String(fields.find((one) => one.field === field)?.show?.(value) ?? value ?? '')}
      />
      <PanelSection>
        <OwnerField owner={deal.owner} change={canWrite ? () => setDialog('owner') : undefined} />
        <FieldList fields={fields} changes={changes} canEdit={canWrite} />
      </PanelSection>
      <PanelSection title={dealTexts.contacts}>
        <DealContacts deal={deal} />
      </PanelSection>
      <PanelSection>
        <StageHistory dealId={deal.id} stages={stages} locale={me.locale} />
      </PanelSection>
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
        <Timeline record={record} locale={me.locale} canEdit={canWrite} />
      </div>
      {dialog === 'owner' && (
        <PersonPicker
          title={labels.assign}
          first={[
            { id: me.id, name: me.name },
            { id: null, name: dealTexts.noOwner },
          ]}
          choose={({ id }) => {
            closeDialog()
            if (id !== deal.owner_id) changes.save({ owner_id: id })
          }}
          close={closeDialog}
        />
      )}
      <Suspense>
        {dialog === 'reopen' && <ReopenDialog deal={deal} stages={stages} close={closeDialog} />}
        {typeof dialog === 'object' && <CloseDealDialog {...dialog} close={closeDialog} />}
      </Suspense>
    </RecordPanel>
  )
}

function useDealChanges(deal: Deal) {
  const { locale, tenant } = useMe()
  const queries = useQueryClient()
  return useSaveFields({
    record: deal,
    update: async (base, changes) =>
      await updateDeal(base.id, base.version, toDealChanges(base, changes, locale, tenant.general.currency)),
    load: () => readDeal(deal.id),
    store: (saved) => {
      storeDeal(queries, saved)
      void refreshDeals(queries)
    },
    readValue: (record, field) => readDealValue(record, field, locale),
  })
}
