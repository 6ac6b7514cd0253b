import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe } from '../../../session/me.ts'
import { fileTexts } from '../../../texts/en/file-texts.ts'
import { importRunTexts as texts } from '../../../texts/en/import-run-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import styles from '../imports.module.css'
import own from './run.module.css'

type ProgressProps = {
  title: string
  done: number
  total: number
  cancel: () => void
  children?: ReactNode
  note: string
}

/** Shows how far a task of the import is. The task does not need the page. */
export function ProgressCard({ title, done, total, cancel, children, note }: ProgressProps) {
  const { locale } = useMe()
  const share = total === 0 ? 0 : Math.min(1, done / total)
  return (
    <section className={styles.card}>
      <div className={own.head} role="status">
        <h2>{title}</h2>
        <span>{fileTexts.percent(formatNumber(Math.floor(share * 100), locale))}</span>
      </div>
      <progress className={own.bar} aria-label={title} max={1} value={share} />
      <p className={own.text}>{texts.rowsDone(formatNumber(done, locale), formatNumber(total, locale))}</p>
      {children && <p className={own.text}>{children}</p>}
      <div>
        <Button size="small" onClick={cancel}>
          {texts.stop}
        </Button>
      </div>
      <p className={own.info}>
        <Info size={16} aria-hidden="true" />
        {note}
      </p>
    </section>
  )
}
