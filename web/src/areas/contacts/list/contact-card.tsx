import { RowCard } from '../../../patterns/list/cells.tsx'
import { StageBadge } from '../../../patterns/stage-badge.tsx'
import { formatSince } from '../../../ui/format.ts'
import { nameOfContact, roleOfContact } from '../contact-names.ts'
import type { ContactRow } from '../contact-queries.ts'

type CardProps = { contact: ContactRow; now: number; locale: string }

export const ContactCard = ({ contact, now, locale }: CardProps) => (
  <RowCard
    name={nameOfContact(contact)}
    figure={contact.last_activity_at && formatSince(contact.last_activity_at, now, locale)}
    detail={roleOfContact(contact) || contact.email}
    status={<StageBadge stage={contact.lifecycle_stage} />}
  />
)
