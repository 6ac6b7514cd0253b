import { Copy } from 'lucide-react'
import { FieldRow } from '../../../patterns/form/field-row.tsx'
import { campaignSettingsTexts as texts } from '../../../texts/en/campaign-settings-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useValues } from '../../../ui/use-values.ts'
import type { Campaign } from '../campaign-queries.ts'
import { Card } from './card.tsx'
import styles from './settings.module.css'
import { buildUtmLink } from './utm-link.ts'

/** Builds a link whose new leads become people of the campaign. */
export function UtmCard({ campaign: { utm_campaign: utmCampaign, type } }: { campaign: Campaign }) {
  const { values, bind } = useValues({ page: '', utm_source: '', utm_medium: type })
  const { page, ...utm } = values
  const link = utmCampaign === null ? undefined : buildUtmLink(page, { utm_campaign: utmCampaign, ...utm })
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    showToast(texts.copied)
  }
  return (
    <Card title={texts.link}>
      <p className={styles.text}>{utmCampaign === null ? texts.linkNeedsUtm : texts.linkText}</p>
      {utmCampaign !== null && (
        <>
          <TextField
            label={texts.page}
            type="url"
            {...bind('page')}
            error={page !== '' && !link ? texts.notAnAddress : undefined}
          />
          <FieldRow>
            <TextField label={texts.utmSource} {...bind('utm_source')} />
            <TextField label={texts.utmMedium} {...bind('utm_medium')} />
          </FieldRow>
          {link && (
            <div className={styles.link}>
              <output aria-label={texts.result}>{link}</output>
              <Button size="small" icon={<Copy size={14} />} onClick={() => void copy(link)}>
                {texts.copy}
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  )
}
