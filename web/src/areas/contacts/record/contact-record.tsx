import { useEffect, useState } from 'react'
import { listContactOpportunities, updateContact } from '../../../api/access.gen.ts'
import { toPhoneUrl } from '../../../patterns/contact-links/contact-links.ts'
import { ActivityButtons } from '../../../patterns/record/activity-buttons.tsx'
import { ConflictBar } from '../../../patterns/record/conflict-bar.tsx'
import { withPending } from '../../../patterns/record/fields/field-changes.ts'
import { OneColumn, RecordColumns } from '../../../patterns/record/record-columns.tsx'
import type { SaveFields } from '../../../patterns/record/use-save-fields.ts'
import { useWide } from '../../../patterns/use-narrow.ts'
import { useCommands } from '../../../session/commands.ts'
import { may, useMe } from '../../../session/me.ts'
import type { Contact } from '../contact-queries.ts'
import type { ComposeKind, ContactTab } from '../contact-search.ts'
import { type ContactStage, needsReason } from '../contact-stages.ts'
import type { ShownContact } from './contact-changes.ts'
import { listContactCommands } from './contact-commands.ts'
import { ContactDeals } from './contact-deals.tsx'
import { ContactDetails } from './contact-details.tsx'
import { type ContactDialog, ContactDialogs } from './contact-dialogs.tsx'
import { type ChosenRecords, formatContactField, labelOfField, type NamedRecord, nameOf } from './contact-fields.ts'
import { ContactHeader } from './contact-header.tsx'
import { ContactTabs } from './contact-tabs.tsx'

export type ContactRecordProps = {
  contact: ShownContact
  /** The whole record, once it is loaded. */
  details: Contact | undefined
  changes: SaveFields
  tab: ContactTab
  setTab: (tab: ContactTab) => void
  /** Asks to log an activity at once, by the URL. */
  compose: ComposeKind | undefined
  endCompose: () => void
  isPage?: boolean
}

/** One contact: who it is, the deals, the history, and everything that is known. */
export function ContactRecord({ contact: stored, details, changes, tab, setTab, ...props }: ContactRecordProps) {
  const { compose, endCompose, isPage } = props
  const me = useMe()
  const isWide = useWide() && isPage === true
  const contact = withPending(stored, changes)
  const canEdit = may(me, updateContact)
  const [kind, setKind] = useState<ComposeKind | 'meeting'>('note')
  const [focusRequests, setFocusRequests] = useState({ composer: 0, details: 0 })
  const [dialog, setDialog] = useState<ContactDialog>()
  const [chosen, setChosen] = useState<ChosenRecords>({})

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
  const edit = () => {
    setTab('details')
    setFocusRequests((before) => ({ ...before, details: before.details + 1 }))
  }
  const assign = () => setDialog({ kind: 'assign' })
  const choose = (field: keyof ChosenRecords) => (record: NamedRecord) => {
    setChosen((before) => ({ ...before, [field]: record }))
    changes.save({ [field]: record.id })
  }
  const setStage = (stage: ContactStage) =>
    needsReason(contact.lifecycle_stage, stage)
      ? setDialog({ kind: 'stage', stage })
      : changes.save({ lifecycle_stage: stage })
  useCommands(listContactCommands({ isAvailable: canEdit, compose: startComposing, edit, assign }))
  const names = { contact: stored, chosen }
  const ownerId = 'owner_id' in changes.pending ? changes.pending.owner_id : stored.owner?.id
  const Columns = isWide ? RecordColumns : OneColumn
  const fields = (
    <ContactDetails
      contact={details}
      chosen={chosen}
      changes={changes}
      canEdit={canEdit}
      assign={assign}
      chooseAccount={() => setDialog({ kind: 'account' })}
      focusRequest={focusRequests.details}
    />
  )
  return (
    <>
      <ContactHeader
        contact={contact}
        ownerName={nameOf('owner_id', ownerId, names) || undefined}
        canEdit={canEdit}
        isUnsaved={changes.isWaiting && Object.keys(changes.pending).length > 0}
        setStage={setStage}
        assign={assign}
      />
      <ConflictBar
        changes={changes}
        labelOf={labelOfField}
        format={(field, value) => formatContactField(field, value, { locale: me.locale, ...names })}
      />
      {canEdit && (
        <ActivityButtons
          start={startComposing}
          phoneUrl={
            contact.phone && contact.call_status !== 'do_not_call'
              ? toPhoneUrl(contact.phone, contact.phone_e164)
              : undefined
          }
        />
      )}
      <Columns
        fields={
          <>
            {may(me, listContactOpportunities) && <ContactDeals id={contact.id} />}
            {isWide && fields}
          </>
        }
      >
        <ContactTabs
          {...{ contact, canEdit, tab, setTab, kind, setKind }}
          fields={isWide ? undefined : fields}
          composerFocus={focusRequests.composer}
        />
      </Columns>
      <ContactDialogs
        dialog={dialog}
        assignTo={choose('owner_id')}
        setAccount={choose('account_id')}
        setStage={(stage, reason) => changes.save({ lifecycle_stage: stage, stage_reason: reason })}
        close={() => setDialog(undefined)}
      />
    </>
  )
}
