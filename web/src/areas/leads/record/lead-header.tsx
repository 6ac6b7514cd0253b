import { Globe } from 'lucide-react'
import { ContactData } from '../../../patterns/contact-links/contact-data.tsx'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-model.ts'
import { nameOfLead } from '../lead-names.ts'
import { canFollow, hueOfStatus, type SettableStatus, settableStatuses } from '../lead-status.ts'
import type { ShownLead } from './lead-changes.ts'
import styles from './record.module.css'

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
  const name = nameOfLead(lead)
  const statusText = leadTexts.statuses[lead.status]
  const status = <Badge hue={hueOfStatus[lead.status]}>{statusText}</Badge>
  const owner = (
    <Badge hue="neutral" hasDot={false}>
      {ownerName && <Avatar name={ownerName} size="tiny" />}
      {ownerName ?? leadTexts.noOwner}
    </Badge>
  )
  return (
    <div className={styles.who}>
      <Avatar name={name} size="large" />
      <div>
        <h2>{name}</h2>
        <p className={styles.role}>
          {lead.title}
          {lead.title && lead.company && ', '}
          <b>{lead.company}</b>
        </p>
        <ContactData person={lead} />
        <div className={styles.badges}>
          {canEdit && lead.status !== 'converted' ? (
            <>
              <MenuButton
                variant="plain"
                align="start"
                className={styles.badge}
                label={texts.changeStatus(statusText)}
                items={statusItems(lead, setStatus)}
              >
                {status}
              </MenuButton>
              <Button variant="plain" className={styles.badge} title={texts.assign} onClick={assign}>
                <span className="visually-hidden">{texts.changeOwner}: </span>
                {owner}
              </Button>
            </>
          ) : (
            <>
              {status}
              {owner}
            </>
          )}
          <Badge hue="neutral" hasDot={false}>
            <Globe size={13} aria-hidden="true" />
            {sourceLabel}
          </Badge>
          <ConsentBadges lead={lead} />
          {isUnsaved && <Badge hue="warning">{recordTexts.notSaved}</Badge>}
        </div>
      </div>
    </div>
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

/** Warns of what the person does not want. */
function ConsentBadges({ lead: { call_status, email_status, processing_restricted } }: { lead: ShownLead }) {
  const email = texts.emailStatuses[email_status as keyof typeof texts.emailStatuses]
  const labels = [
    call_status === 'do_not_call' && texts.doNotCall,
    email,
    processing_restricted && texts.restricted,
  ].filter((label) => typeof label === 'string')
  return labels.map((label) => (
    <Badge key={label} hue="danger">
      {label}
    </Badge>
  ))
}
