import { updateCadence } from '../../../api/access.gen.ts'
import { may, useMe } from '../../../session/me.ts'
import { cadenceSettingTexts as texts } from '../../../texts/en/cadence-setting-texts.ts'
import type { Cadence } from '../cadence-queries.ts'
import { RulesCard } from '../steps/rules-card.tsx'
import styles from './settings.module.css'
import { SettingsForm } from './settings-form.tsx'

export function SettingsPart({ cadence }: { cadence: Cadence }) {
  const me = useMe()
  const canEdit = may(me, updateCadence) && cadence.status !== 'archived'
  return (
    <div className={styles.part}>
      {canEdit ? <SettingsForm cadence={cadence} /> : <SettingsValues cadence={cadence} />}
    </div>
  )
}

const SettingsValues = ({ cadence }: { cadence: Cadence }) => (
  <div className={styles.content}>
    <p className={styles.soft}>{texts.readOnly}</p>
    <dl className={styles.values}>
      <dt>{texts.fields.owner_id}</dt>
      <dd>{cadence.owner?.name ?? texts.noOwner}</dd>
      <dt>{texts.fields.campaign_id}</dt>
      <dd>{cadence.campaign?.name ?? texts.noCampaign}</dd>
      {cadence.description && (
        <>
          <dt>{texts.fields.description}</dt>
          <dd className={styles.prose}>{cadence.description}</dd>
        </>
      )}
    </dl>
    <RulesCard cadence={cadence} canEdit={false} />
  </div>
)
