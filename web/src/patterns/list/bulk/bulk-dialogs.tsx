import { useMe } from '../../../session/me.ts'
import { listBulkTexts } from '../../../texts/en/list-bulk-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import styles from './bulk.module.css'
import { type BulkResult, groupFailures } from './bulk-results.ts'
import type { BulkTexts } from './bulk-texts.ts'

export function FailuresDialog({
  texts,
  result,
  select,
  close,
}: {
  texts: BulkTexts
  result: BulkResult
  select: (ids: readonly string[]) => void
  close: () => void
}) {
  const { locale } = useMe()
  return (
    <Dialog
      title={texts.failedTitle(formatNumber(result.failed, locale), formatNumber(result.total, locale))}
      close={close}
      footer={<Button onClick={close}>{listBulkTexts.close}</Button>}
    >
      <ul className={styles.reasons}>
        {groupFailures(result).map(({ message, ids }) => (
          <li key={message}>
            <b>{formatNumber(ids.length, locale)}</b>
            <span>{message}</span>
            <Button
              size="small"
              onClick={() => {
                close()
                select(ids)
              }}
            >
              {texts.selectFailed}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Asks whether to continue, because other records match the filters than those that the user has seen. */
export function ChangedDialog({
  texts,
  before,
  now,
  proceed,
  close,
}: {
  texts: BulkTexts
  before: number
  now: number
  proceed: () => void
  close: () => void
}) {
  const { locale } = useMe()
  const [beforeText, nowText] = [formatNumber(before, locale), formatNumber(now, locale)]
  return (
    <Dialog
      title={listBulkTexts.changedTitle}
      close={close}
      footer={
        <>
          <Button onClick={close}>{listBulkTexts.cancel}</Button>
          <Button variant="primary" onClick={proceed}>
            {listBulkTexts.continue(nowText)}
          </Button>
        </>
      }
    >
      <p>{texts.changedText(beforeText, nowText)}</p>
    </Dialog>
  )
}
