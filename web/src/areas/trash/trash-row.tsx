import { useNow } from '../../patterns/use-now.ts'
import { useMe } from '../../session/me.ts'
import { trashTexts as texts } from '../../texts/en/trash-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatDate, formatDateTime } from '../../ui/format.ts'
import styles from './trash.module.css'
import type { DeletedRecord } from './trash-queries.ts'

type TrashRowProps = {
  record: DeletedRecord
  reason: string | undefined
  isSelected: boolean
  canRestore: boolean
  isPending: boolean
  toggle: () => void
  restore: () => void
}

export function TrashRow({ record, reason, isSelected, canRestore, isPending, toggle, restore }: TrashRowProps) {
  const { locale } = useMe()
  const now = useNow()
  const { email, company, deleted_at: at, deleted_by: by, restorable_until: until } = record
  const name = record.name || texts.noName
  const details = [email !== name && email, company !== name && company].filter(Boolean).join(' · ')
  return (
    <li className={styles.row}>
      {canRestore && <input type="checkbox" aria-label={texts.select(name)} checked={isSelected} onChange={toggle} />}
      <div className={styles.text}>
        <p className={styles.name}>
          <b>{name}</b> {details && <span>{details}</span>}
        </p>
        <p className={styles.when}>
          {by ? texts.deletedBy(by.name) : texts.deleted}
          {' · '}
          <time dateTime={at} title={formatDateTime(at, locale)}>
            {formatAgo(at, now, locale)}
          </time>
          {' · '}
          {texts.until(formatDate(until, locale))}
        </p>
        {reason && (
          <p className={styles.reason} role="alert">
            {reason}
          </p>
        )}
      </div>
      {canRestore && (
        <Button size="small" aria-label={texts.restoreOne(name)} disabled={isPending} onClick={restore}>
          {texts.restore}
        </Button>
      )}
    </li>
  )
}
