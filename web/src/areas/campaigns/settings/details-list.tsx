import { unknown } from '../../../charts/chart-model.ts'
import { useMe } from '../../../session/me.ts'
import { campaignSettingsTexts as texts } from '../../../texts/en/campaign-settings-texts.ts'
import type { Campaign } from '../campaign-queries.ts'
import { MemberBadge } from '../people/member-list.tsx'
import { fieldsOf } from './campaign-fields.ts'
import { createFormat, noteNames } from './field-values.ts'
import styles from './settings.module.css'

const labels: Readonly<Record<string, string>> = texts.fields

/** The fields for users who may not change them. */
export function DetailsList({ campaign }: { campaign: Campaign }) {
  const { locale } = useMe()
  const names = new Map<string, string>()
  noteNames(names, campaign)
  const format = createFormat(names, locale)
  return (
    <dl className={styles.list}>
      {Object.entries(fieldsOf(campaign)).map(([field, value]) => (
        <div key={field}>
          <dt>{labels[field]}</dt>
          <dd>{format(field, value) || unknown}</dd>
        </div>
      ))}
    </dl>
  )
}

export const StatusList = ({ campaign: { member_statuses: statuses } }: { campaign: Campaign }) => (
  <ul className={styles.badges}>
    {statuses.map(({ key }) => (
      <li key={key}>
        <MemberBadge statuses={statuses} status={key} />
      </li>
    ))}
  </ul>
)
