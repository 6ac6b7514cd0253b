import { Link } from '@tanstack/react-router'
import { describeWindow } from '../../../patterns/schedule-picker/describe-window.ts'
import { useMe } from '../../../session/me.ts'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import type { Cadence } from '../cadence-queries.ts'
import styles from './steps.module.css'

/** When the steps run and what ends an enrollment. */
export function RulesCard({ cadence, canEdit }: { cadence: Cadence; canEdit: boolean }) {
  const me = useMe()
  const { window, timezone_mode: mode, timezone, exit_on: exits, reenroll_after_days: days } = cadence
  const zone =
    mode === 'person' ? texts.rules.personZone : (timezone ?? me.tenant.general.timezone).replaceAll('_', ' ')
  const ends = (['reply', 'meeting', 'bounce'] as const).filter((name) => exits[name]).map((name) => texts.exits[name])
  return (
    <section className={styles.rules} aria-label={texts.rules.title}>
      <header>
        <h2>{texts.rules.title}</h2>
        {canEdit && (
          <Link to="." search={{ tab: 'settings' } as never}>
            {texts.rules.change}
          </Link>
        )}
      </header>
      <dl>
        <dt>{texts.rules.sends}</dt>
        <dd>{`${describeWindow(window, me.locale)}, ${zone}`}</dd>
        <dt>{texts.rules.ends}</dt>
        <dd>{ends.join(', ') || texts.rules.nothing}</dd>
        <dt>{texts.rules.again}</dt>
        <dd>{days === null ? texts.rules.never : texts.days(days)}</dd>
      </dl>
    </section>
  )
}
