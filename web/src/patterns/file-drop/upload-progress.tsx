import { useMe } from '../../session/me.ts'
import { fileTexts } from '../../texts/en/file-texts.ts'
import { Button } from '../../ui/button.tsx'
import styles from './file-drop.module.css'
import { describeAmount, describeRest, shareOf } from './upload-figures.ts'
import type { Upload } from './use-upload.ts'

/** Shows how much of a file has been sent. After the last byte the server still reads it. */
export function UploadProgress({ upload, cancel }: { upload: Upload; cancel: () => void }) {
  const { locale } = useMe()
  const { name, sent, total, startedAt } = upload
  const share = shareOf(upload)
  const rest = describeRest(upload, Date.now() - startedAt)
  return (
    <div className={styles.progress} role="status">
      <span className={styles.name}>{name}</span>
      <span className={styles.percent}>{fileTexts.percent(Math.floor(share * 100).toLocaleString(locale))}</span>
      <progress className={styles.bar} aria-label={name} max={1} value={share} />
      <span className={styles.amount}>
        {sent < total || total === 0 ? describeAmount(sent, total, locale) : fileTexts.reading}
        {rest && `, ${rest}`}
      </span>
      <Button size="small" onClick={cancel}>
        {fileTexts.cancel}
      </Button>
    </div>
  )
}
