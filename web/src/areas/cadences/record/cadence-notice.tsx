import { Link } from '@tanstack/react-router'
import { Archive, CircleAlert } from 'lucide-react'
import { useMe } from '../../../session/me.ts'
import { cadenceTexts as texts } from '../../../texts/en/cadence-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import type { Cadence } from '../cadence-queries.ts'
import styles from './cadence.module.css'

/** Says why the system has paused the cadence, and what to check. */
export function CadenceNotice({ cadence: { status, paused_reason: reason, live_count: live } }: { cadence: Cadence }) {
  const { locale } = useMe()
  if (status === 'archived')
    return (
      <p className={styles.note}>
        <Archive size={16} />
        <span>{texts.archivedNote}</span>
      </p>
    )
  if (status !== 'paused' || reason === null) return null
  return (
    <div className={styles.alert} role="status">
      <CircleAlert size={16} />
      <p>
        <b>{texts.pausedReasons[reason]}</b> {texts.wait(live, formatNumber(live, locale))} {texts.pausedAdvice[reason]}
      </p>
      {reason === 'bounces' && (
        <Link to="." search={{ tab: 'people', status: 'exited', reason: 'bounced' } as never} className={styles.link}>
          {texts.showBounced}
        </Link>
      )}
      {reason === 'campaign' && (
        <Link to="." search={{ tab: 'settings' } as never} className={styles.link}>
          {texts.toSettings}
        </Link>
      )}
    </div>
  )
}
