import { AlarmClock, Timer } from 'lucide-react'
import { toPhoneUrl } from '../../../patterns/contact-links/contact-links.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { formatDuration } from '../../../ui/format.ts'
import type { ShownLead } from './lead-changes.ts'
import styles from './record.module.css'

/** The clock of the first response, with the number to call. */
export function ResponseNotice({ lead, now }: { lead: ShownLead; now: number }) {
  const { first_responded_at: respondedAt, sla_due_at: dueAt, status, phone, phone_e164 } = lead
  if (respondedAt || !dueAt || status === 'converted' || status === 'unqualified') return null
  const left = Date.parse(dueAt) - now
  return (
    <div className={`${styles.notice} ${left < 0 ? styles.late : ''}`}>
      {left < 0 ? <AlarmClock size={17} aria-hidden="true" /> : <Timer size={17} aria-hidden="true" />}
      <p>
        {left < 0 ? texts.lateBy : texts.dueIn} <b>{formatDuration(Math.abs(left))}</b>
      </p>
      {phone && (
        <a href={toPhoneUrl(phone, phone_e164)} aria-label={texts.callNumber(phone)}>
          {phone}
        </a>
      )}
    </div>
  )
}
