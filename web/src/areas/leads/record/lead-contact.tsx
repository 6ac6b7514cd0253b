import { Copy, ExternalLink } from 'lucide-react'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { IconButton } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { toPhoneUrl, toWebUrl } from './contact-links.ts'
import type { ShownLead } from './lead-changes.ts'
import styles from './lead-contact.module.css'

export function LeadContact({ lead: { email, phone, phone_e164, website, linkedin_url } }: { lead: ShownLead }) {
  const pages = [
    { label: texts.fields.website, url: toWebUrl(website) },
    { label: texts.fields.linkedin_url, url: toWebUrl(linkedin_url) },
  ].filter(({ url }) => url !== undefined)
  if (!email && !phone && pages.length === 0) return null
  return (
    <div className={styles.contact}>
      {email && (
        <span className={styles.pair}>
          <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
          <IconButton
            label={texts.copyEmail}
            icon={<Copy size={13} />}
            size="small"
            onClick={() => void copyEmail(email)}
          />
        </span>
      )}
      {phone && (
        <a href={toPhoneUrl(phone, phone_e164)} className="number">
          {phone}
        </a>
      )}
      {pages.map(({ label, url }) => (
        <a key={label} href={url} target="_blank" rel="noreferrer">
          {label}
          <ExternalLink size={12} aria-hidden="true" />
        </a>
      ))}
    </div>
  )
}

async function copyEmail(email: string): Promise<void> {
  await navigator.clipboard.writeText(email)
  showToast(texts.emailCopied)
}
