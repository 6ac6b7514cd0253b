import { useMe } from '../../../session/me.ts'
import { bulkTexts as texts } from '../../../texts/en/lead-bulk-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import styles from './bulk.module.css'
import { type BulkResult, groupFailures } from './bulk-results.ts'

/** Lists the leads that were not changed, by reason. */
export function FailuresDialog({
  result,
  select,
  close,
}: {
  result: BulkResult
  select: (ids: readonly string[]) => void
  close: () => void
}) {
  const { locale } = useMe()
  return (
    <Dialog
      title={texts.failedTitle(formatNumber(result.failed, locale), formatNumber(result.total, locale))}
      close={close}
      footer={<Button onClick={close}>{texts.close}</Button>}
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

/** Asks whether to continue, because other leads match the filters than those that the user has seen. */
export function ChangedDialog({
  before,
  now,
  proceed,
  close,
}: {
  before: number
  now: number
  proceed: () => void
  close: () => void
}) {
  const { locale } = useMe()
  const [beforeText, nowText] = [formatNumber(before, locale), formatNumber(now, locale)]
  return (
    <Dialog
      title={texts.changedTitle}
      close={close}
      footer={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button variant="primary" onClick={proceed}>
            {texts.continue(nowText)}
          </Button>
        </>
      }
    >
      <p>{texts.changedText(beforeText, nowText)}</p>
    </Dialog>
  )
}
