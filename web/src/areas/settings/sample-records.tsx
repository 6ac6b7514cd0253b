import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useMe } from '../../session/me.ts'
import { sampleDataTexts } from '../../texts/en/settings-texts.ts'
import { formatDateTime, formatNumber } from '../../ui/format.ts'
import { Card } from './card.tsx'
import styles from './settings.module.css'

/** The number of sample records per kind. */
export function SampleRecords({ status, action }: { status: Schemas['SampleDataStatus']; action: ReactNode }) {
  const { locale } = useMe()
  const { loaded_by, loaded_at, counts, modified_count } = status
  const kinds = Object.entries(counts).sort(([, one], [, other]) => other - one)
  return (
    <Card
      title={sampleDataTexts.loaded}
      text={loaded_at ? sampleDataTexts.loadedBy(loaded_by?.name ?? '', formatDateTime(loaded_at, locale)) : undefined}
      action={action}
    >
      <dl className={styles.counts}>
        {kinds.map(([kind, count]) => (
          <div key={kind}>
            <dt>{sampleDataTexts.kinds(kind)}</dt>
            <dd>{formatNumber(count, locale)}</dd>
          </div>
        ))}
      </dl>
      {modified_count > 0 && (
        <p className={styles.soft}>{sampleDataTexts.modified(formatNumber(modified_count, locale))}</p>
      )}
    </Card>
  )
}
