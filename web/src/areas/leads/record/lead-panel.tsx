import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { convertLead } from '../../../api/access.gen.ts'
import { RecordPanel } from '../../../patterns/record/record-panel.tsx'
import { Skeleton } from '../../../patterns/states.tsx'
import { useCommands } from '../../../session/commands.ts'
import { may, mayDelete, useMe } from '../../../session/me.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { MenuItem } from '../../../ui/menu-model.ts'
import { nameOfLead } from '../lead-names.ts'
import { type LeadRow, leadQuery } from '../lead-queries.ts'
import type { ComposeKind, LeadTab } from '../lead-search.ts'
import { deleteLead } from './delete-lead.ts'
import { GoneLead } from './gone-lead.tsx'
import { type ShownLead, useLeadChanges } from './lead-changes.ts'
import { LeadRecord } from './lead-record.tsx'

const ConvertDialog = lazyPart(() => import('./convert-dialog.tsx'), 'ConvertDialog')

export type LeadPanelProps = {
  id: string
  /** The row of the list, shown until the record is loaded. */
  row?: LeadRow
  back?: ReactNode
  position?: string
  goTo?: { previous?: () => void; next?: () => void }
  expand?: () => void
  close?: () => void
  /** Shows another lead instead. */
  show: (id: string) => void
  tab?: LeadTab
  setTab: (tab: LeadTab) => void
  compose?: ComposeKind
  endCompose: () => void
}

/** A lead beside its list, or on a page of its own. */
export function LeadPanel(props: LeadPanelProps) {
  const { id, row, back, goTo, close, show } = props
  const { data, error, refetch } = useQuery(leadQuery(id))
  const lead: ShownLead | undefined = data ?? row
  const path = `/leads/${id}`
  if (error && !data)
    return (
      <RecordPanel label={texts.part} {...{ path, back, goTo }} close={back ? undefined : close}>
        <GoneLead id={id} error={error} goTo={show} retry={() => void refetch()} />
      </RecordPanel>
    )
  if (!lead)
    return (
      <RecordPanel label={texts.part} {...{ path, back }} close={back ? undefined : close}>
        <Skeleton rows={8} />
      </RecordPanel>
    )
  return <LoadedLead key={id} {...props} {...{ lead, details: data, path }} />
}

type LoadedLeadProps = LeadPanelProps & {
  lead: ShownLead
  details: Parameters<typeof LeadRecord>[0]['details']
  path: string
}

function LoadedLead({ lead, details, path, back, position, goTo, expand, close, ...props }: LoadedLeadProps) {
  const me = useMe()
  const changes = useLeadChanges(lead)
  const [isConverting, setConverting] = useState(false)
  const mayConvert = may(me, convertLead) && lead.status !== 'converted'
  const mayRemove = mayDelete(me, 'leads', lead.owner?.id ?? null)
  const convert = () => setConverting(true)
  const remove = async () => {
    const showNext = goTo?.next ?? close
    if (await deleteLead(lead)) showNext?.()
  }
  useCommands([
    {
      id: 'lead:convert',
      label: texts.convert,
      group: texts.group,
      keys: ['Shift+c'],
      isAvailable: mayConvert,
      run: convert,
    },
    {
      id: 'lead:delete',
      label: texts.remove,
      group: texts.group,
      isAvailable: mayRemove,
      run: () => void remove(),
    },
  ])
  const menu: MenuItem[] = [
    ...(mayConvert ? [{ label: texts.convert, keys: 'Shift+c', run: convert }] : []),
    ...(mayRemove ? [{ label: texts.remove, run: () => void remove() }] : []),
  ]
  return (
    <RecordPanel
      label={nameOfLead(lead)}
      {...{ path, back, position, goTo, expand, menu }}
      close={back ? undefined : close}
    >
      <LeadRecord
        lead={lead}
        details={details}
        changes={changes}
        tab={props.tab ?? 'activity'}
        setTab={props.setTab}
        compose={props.compose}
        endCompose={props.endCompose}
        isPage={back !== undefined}
      />
      {isConverting && details && <ConvertDialog lead={details} close={() => setConverting(false)} />}
    </RecordPanel>
  )
}
