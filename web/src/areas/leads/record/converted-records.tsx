import { Link } from '@tanstack/react-router'
import { ContactDataOf } from '../../../patterns/contact-links/contact-data.tsx'
import { PanelSection } from '../../../patterns/record/record-panel.tsx'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import type { Lead } from '../lead-queries.ts'
import styles from './record.module.css'

/** The records that a converted lead became. */
export function ConvertedRecords({ lead }: { lead: Lead }) {
  const { converted_account: account, converted_contact: contact, converted_opportunity: deal } = lead
  if (!account && !contact && !deal) return null
  return (
    <PanelSection title={texts.convertedTitle}>
      <p className={styles.converted}>
        {account && (
          <span>
            {texts.converted.account}{' '}
            <Link to="/accounts/$accountId" params={{ accountId: account.id }} search={{}}>
              {account.name}
            </Link>
          </span>
        )}
        {contact && (
          <span>
            {texts.converted.contact}{' '}
            <Link to="/contacts/$contactId" params={{ contactId: contact.id }} search={{}}>
              {contact.name}
            </Link>
          </span>
        )}
        {deal && (
          <span>
            {texts.converted.deal}{' '}
            <Link to="/deals/$dealId" params={{ dealId: deal.id }} search={{}}>
              {deal.name}
            </Link>
          </span>
        )}
      </p>
      {contact && <ContactDataOf contactId={contact.id} />}
    </PanelSection>
  )
}
