import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toPhoneUrl } from '../../../patterns/contact-links/contact-links.ts'
import { ActivityButtons } from '../../../patterns/record/activity-buttons.tsx'
import { ConflictBar } from '../../../patterns/record/conflict-bar.tsx'
import { withPending } from '../../../patterns/record/fields/field-changes.ts'
import { OneColumn, RecordColumns } from '../../../patterns/record/record-columns.tsx'
import type { SaveFields } from '../../../patterns/record/use-save-fields.ts'
import { useWide } from '../../../patterns/use-narrow.ts'
import { useNow } from '../../../patterns/use-now.ts'
import { useCommands } from '../../../session/commands.ts'
import { can, useMe } from '../../../session/me.ts'
import { type Lead, sourcesQuery } from '../lead-queries.ts'
import type { ComposeKind, LeadTab } from '../lead-search.ts'
import type { SettableStatus } from '../lead-status.ts'
import { labelOfSource } from '../source-labels.ts'
import { ConvertedRecords } from './converted-records.tsx'
import type { ShownLead } from './lead-changes.ts'
import { listLeadCommands } from './lead-commands.ts'
import { LeadDetails } from './lead-details.tsx'
import { type LeadDialog, LeadDialogs } from './lead-dialogs.tsx'
import { formatLeadField, labelOfField } from './lead-fields.ts'
import { LeadHeader } from './lead-header.tsx'
import { LeadScore } from './lead-score.tsx'
import { LeadTabs } from './lead-tabs.tsx'
import { ResponseNotice } from './response-notice.tsx'

export type LeadRecordProps = {
  lead: ShownLead
  /** The whole record, once it is loaded. */
  details: Lead | undefined
  changes: SaveFields
  tab: LeadTab
  setTab: (tab: LeadTab) => void
  /** Asks to log an activity at once, by the URL. */
  compose: ComposeKind | undefined
  endCompose: () => void
  isPage?: boolean
}

/** One lead: who it is, what to do next, why it matters, and everything that is known. */
export function LeadRecord({
  lead: stored,
  details,
  changes,
  tab,
  setTab,
  compose,
  endCompose,
  isPage,
}: LeadRecordProps) {
  const me = useMe()
  const isWide = useWide() && isPage === true
  const now = useNow()
  const lead = withPending(stored, changes)
  const canEdit = can(me, 'leads.write')
  const [kind, setKind] = useState<ComposeKind | 'meeting'>('note')
  const [focusRequests, setFocusRequests] = useState({ composer: 0, details: 0 })
  const [dialog, setDialog] = useState<LeadDialog>()
  const [chosenOwner, setChosenOwner] = useState<{ id: string | null; name: string }>()
  const sources = useQuery(sourcesQuery).data

  const startComposing = (next: ComposeKind) => {
    setTab('activity')
    setKind(next)
    setFocusRequests((before) => ({ ...before, composer: before.composer + 1 }))
  }
  useEffect(() => {
    if (!compose || !canEdit) return
    startComposing(compose)
    endCompose()
  }, [compose])
  const setStatus = (status: SettableStatus) =>
    status === 'unqualified' ? setDialog('reason') : changes.save({ status })
  const edit = () => {
    setTab('details')
    setFocusRequests((before) => ({ ...before, details: before.details + 1 }))
  }
  const assign = () => setDialog('assign')
  useCommands(listLeadCommands({ status: lead.status, canEdit, compose: startComposing, edit, assign, setStatus }))
  const ownerName =
    'owner_id' in changes.pending && chosenOwner?.id === changes.pending.owner_id
      ? (chosenOwner?.id && chosenOwner.name) || undefined
      : lead.owner?.name
  const Columns = isWide ? RecordColumns : OneColumn
  const fields = (
    <LeadDetails
      lead={details}
      changes={changes}
      canEdit={canEdit}
      assign={assign}
      focusRequest={focusRequests.details}
    />
  )
  return (
    <>
      <LeadHeader
        lead={lead}
        ownerName={ownerName}
        sourceLabel={labelOfSource(sources, lead.source)}
        canEdit={canEdit}
        isUnsaved={changes.isWaiting && Object.keys(changes.pending).length > 0}
        setStatus={setStatus}
        assign={assign}
      />
      <ConflictBar
        changes={changes}
        labelOf={labelOfField}
        format={(field, value) => formatLeadField(field, value, { locale: me.locale, lead: stored, chosenOwner })}
      />
      {canEdit && (
        <ActivityButtons
          start={startComposing}
          phoneUrl={
            lead.phone && lead.call_status !== 'do_not_call' ? toPhoneUrl(lead.phone, lead.phone_e164) : undefined
          }
        />
      )}
      <ResponseNotice lead={lead} now={now} />
      <Columns
        fields={
          <>
            {details && <ConvertedRecords lead={details} />}
            {details && <LeadScore lead={details} />}
            {isWide && fields}
          </>
        }
      >
        <LeadTabs
          {...{ lead, details, canEdit, tab, setTab, kind, setKind }}
          fields={isWide ? undefined : fields}
          composerFocus={focusRequests.composer}
        />
      </Columns>
      <LeadDialogs
        dialog={dialog}
        assignTo={(owner) => {
          setChosenOwner(owner)
          changes.save({ owner_id: owner.id })
        }}
        disqualify={(reason) => changes.save({ status: 'unqualified', disqualify_reason: reason })}
        close={() => setDialog(undefined)}
      />
    </>
  )
}
