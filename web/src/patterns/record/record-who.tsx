import type { ReactNode } from 'react'
import { recordPartTexts } from '../../texts/en/record-part-texts.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ContactData } from '../contact-links/contact-data.tsx'
import styles from './record-who.module.css'

type RecordWhoProps = {
  name: string
  role: ReactNode
  person: Parameters<typeof ContactData>[0]['person']
  /** Whether changes wait for the network. */
  isUnsaved: boolean
  children: ReactNode
}

/** Shows who a person is, how to reach the person, and the state of the record as badges. */
export const RecordWho = ({ name, role, person, isUnsaved, children }: RecordWhoProps) => (
  <div className={styles.who}>
    <Avatar name={name} size="large" />
    <div>
      <h2>{name}</h2>
      <p className={styles.role}>{role}</p>
      <ContactData person={person} />
      <div className={styles.badges}>
        {children}
        {isUnsaved && <Badge hue="warning">{recordTexts.notSaved}</Badge>}
      </div>
    </div>
  </div>
)

export const badgeButtonClass = styles.badge

/** The owner of a record; a button if the user may change it. */
export function OwnerBadge({ name, assign }: { name: string | undefined; assign?: () => void }) {
  const badge = (
    <Badge hue="neutral" hasDot={false}>
      {name && <Avatar name={name} size="tiny" />}
      {name ?? recordPartTexts.noOwner}
    </Badge>
  )
  if (!assign) return badge
  return (
    <Button variant="plain" className={styles.badge} title={recordPartTexts.assign} onClick={assign}>
      <span className="visually-hidden">{recordPartTexts.changeOwner}: </span>
      {badge}
    </Button>
  )
}

type Consent = { call_status?: string; email_status?: string; processing_restricted?: boolean }

/** Warns of what the person does not want. */
export function ConsentBadges({ call_status, email_status, processing_restricted }: Consent) {
  const { emailStatuses, doNotCall, restricted } = recordPartTexts
  const labels = [
    call_status === 'do_not_call' && doNotCall,
    emailStatuses[email_status as keyof typeof emailStatuses],
    processing_restricted && restricted,
  ].filter((label) => typeof label === 'string')
  return labels.map((label) => (
    <Badge key={label} hue="danger">
      {label}
    </Badge>
  ))
}
