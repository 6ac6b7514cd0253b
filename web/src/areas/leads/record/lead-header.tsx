import { Globe } from 'lucide-react'
import { badgeButtonClass, ConsentBadges, OwnerBadge, RecordWho } from '../../../patterns/record/record-who.tsx'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-model.ts'
import { nameOfLead } from '../lead-names.ts'
import { canFollow, hueOfStatus, type SettableStatus, settableStatuses } from '../lead-status.ts'
import type { ShownLead } from './lead-changes.ts'

type LeadHeaderProps = {
  lead: ShownLead
  ownerName: string | undefined
  sourceLabel: string
  canEdit: boolean
  /** Whether changes wait for the network. */
  isUnsaved: boolean
  setStatus: (status: SettableStatus) => void
  assign: () => void
}

/** Shows who the lead is, and the state, owner and source of the lead. */
export function LeadHeader({ lead, ownerName, sourceLabel, canEdit, isUnsaved, ...actions }: LeadHeaderProps) {
  const { setStatus, assign } = actions
  const isOpen = canEdit && lead.status !== 'converted'
  const statusText = leadTexts.statuses[lead.status]
  const status = <Badge hue={hueOfStatus[lead.status]}>{statusText}</Badge>
  const role = (
    <>
      {lead.title}
      {lead.title && lead.company && ', '}
      <b>{lead.company}</b>
    </>
  )
  return (
    <RecordWho name={nameOfLead(lead)} role={role} person={lead} isUnsaved={isUnsaved}>
      {isOpen ? (
        <MenuButton
          variant="plain"
          align="start"
          className={badgeButtonClass}
          label={texts.changeStatus(statusText)}
          items={statusItems(lead, setStatus)}
        >
          {status}
        </MenuButton>
      ) : (
        status
      )}
      <OwnerBadge name={ownerName} assign={isOpen ? assign : undefined} />
      <Badge hue="neutral" hasDot={false}>
        <Globe size={13} aria-hidden="true" />
        {sourceLabel}
      </Badge>
      <ConsentBadges {...lead} />
    </RecordWho>
  )
}

function statusItems({ status: current }: ShownLead, setStatus: (status: SettableStatus) => void): MenuItem[] {
  return settableStatuses.map((status, at) => ({
    label: leadTexts.statuses[status],
    keys: String(at + 1),
    isDisabled: !canFollow(current, status),
    run: () => setStatus(status),
  }))
}
