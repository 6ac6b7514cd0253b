import { updateCampaign } from '../../../api/access.gen.ts'
import { may, useMe } from '../../../session/me.ts'
import { campaignSettingsTexts as texts } from '../../../texts/en/campaign-settings-texts.ts'
import { Button } from '../../../ui/button.tsx'
import type { Campaign } from '../campaign-queries.ts'
import { isEditable, takesMembers } from '../campaign-status.ts'
import { type DialogName, listActions, type OpenDialog } from '../record/campaign-actions.ts'
import { Card } from './card.tsx'
import { DetailsForm } from './details-form.tsx'
import { DetailsList, StatusList } from './details-list.tsx'
import styles from './settings.module.css'
import { StatusesForm } from './statuses-form.tsx'
import { UtmCard } from './utm-card.tsx'

type SettingsProps = { campaign: Campaign; open: OpenDialog }

/** Fields, statuses and the link of a campaign. Without permission they are only read. */
export function SettingsPart({ campaign, open }: SettingsProps) {
  const me = useMe()
  const mayUpdate = may(me, updateCampaign)
  const canEdit = mayUpdate && isEditable(campaign)
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <Card title={texts.details}>
          {canEdit ? <DetailsForm campaign={campaign} /> : <DetailsList campaign={campaign} />}
          {mayUpdate && !canEdit && <p className={styles.text}>{texts.archived}</p>}
        </Card>
        <Card title={texts.statuses}>
          {canEdit ? <StatusesForm campaign={campaign} /> : <StatusList campaign={campaign} />}
        </Card>
        {takesMembers(campaign) && <UtmCard campaign={campaign} />}
        <EndCard campaign={campaign} open={open} />
      </div>
    </div>
  )
}

const endings: Readonly<Record<string, DialogName>> = {
  complete: 'complete',
  cancel: 'cancel',
  archive: 'archive',
  remove: 'delete',
}

function EndCard({ campaign, open }: SettingsProps) {
  const me = useMe()
  const actions = listActions(me, campaign, { open, setStatus: () => {}, today: '' })
  const offered = Object.entries(actions).filter(([key, { isOffered }]) => key in endings && isOffered)
  if (offered.length === 0) return null
  const { status } = campaign
  const text =
    status === 'draft' ? 'draft' : status === 'archived' ? 'archived' : takesMembers(campaign) ? 'open' : 'ended'
  return (
    <Card title={texts.end}>
      <p className={styles.text}>{texts.endTexts[text]}</p>
      <div className={styles.buttons}>
        {offered.map(([key, { label, run }]) => (
          <Button key={key} variant={key === 'remove' ? 'danger' : 'secondary'} onClick={run}>
            {label}
          </Button>
        ))}
      </div>
    </Card>
  )
}
