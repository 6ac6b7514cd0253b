import { Avatar } from '../../../ui/avatar.tsx'
import { Grade } from '../../../ui/badge.tsx'
import { nameOfLead, roleOfLead } from '../lead-names.ts'
import type { LeadRow } from '../lead-queries.ts'
import { ResponseClock } from '../response-clock.tsx'
import styles from './list.module.css'

/** A lead on a phone. */
export const LeadCard = ({ lead, now }: { lead: LeadRow; now: number }) => (
  <div className={styles.card}>
    <Avatar name={nameOfLead(lead)} size="card" />
    <b>{nameOfLead(lead)}</b>
    <span className={styles.points}>
      <Grade grade={lead.grade} /> {lead.score}
    </span>
    <span className={styles.role}>{roleOfLead(lead)}</span>
    <ResponseClock lead={lead} now={now} />
  </div>
)
