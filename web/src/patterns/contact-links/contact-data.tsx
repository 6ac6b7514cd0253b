import { useQuery } from '@tanstack/react-query'
import { Copy, ExternalLink } from 'lucide-react'
import { can, useMe } from '../../session/me.ts'
import { contactTexts as texts } from '../../texts/en/contact-texts.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './contact-data.module.css'
import { toPhoneUrl, toWebUrl } from './contact-links.ts'
import { contactQuery } from './contact-query.ts'

type Person = {
  email: string | null
  phone: string | null
  phone_e164?: string | null
  website?: string | null
  linkedin_url?: string | null
}

/** The ways to reach a person, each usable at once. */
export function ContactData({ person: { email, phone, phone_e164, website, linkedin_url } }: { person: Person }) {
  const pages = [
    { label: texts.website, url: toWebUrl(website) },
    { label: texts.linkedin, url: toWebUrl(linkedin_url) },
  ].filter(({ url }) => url !== undefined)
  if (!email && !phone && pages.length === 0) return null
  return (
    <div className={styles.contact}>
      {email && (
        <span className={styles.pair}>
          <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
          <CopyButton label={texts.copyEmail} text={email} copied={texts.emailCopied} />
        </span>
      )}
      {phone && (
        <span className={styles.pair}>
          <a href={toPhoneUrl(phone, phone_e164)} className="number">
            {phone}
          </a>
          <CopyButton label={texts.copyPhone} text={phone} copied={texts.phoneCopied} />
        </span>
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

const CopyButton = ({ label, text, copied }: { label: string; text: string; copied: string }) => (
  <IconButton
    label={label}
    icon={<Copy size={13} />}
    size="small"
    onClick={() => void navigator.clipboard.writeText(text).then(() => showToast(copied))}
  />
)

/** The same of a contact of which only the id is known. */
export function ContactDataOf({ contactId }: { contactId: string }) {
  const me = useMe()
  const { data, error, refetch } = useQuery({ ...contactQuery(contactId), enabled: can(me, 'contacts.read') })
  if (data) return <ContactData person={data} />
  if (!error) return null
  return (
    <p role="alert">
      {texts.notLoaded}{' '}
      <Button size="small" variant="quiet" onClick={() => void refetch()}>
        {stateTexts.retry}
      </Button>
    </p>
  )
}
