import { Info, X } from 'lucide-react'
import { useStore } from '../../../api/store.ts'
import { useMe } from '../../../session/me.ts'
import { cadencePeopleTexts as texts } from '../../../texts/en/cadence-people-texts.ts'
import { textLanguage } from '../../../texts/language.ts'
import { IconButton } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { enrollResults, noteEnrolled } from './enroll-results.ts'
import styles from './people.module.css'

const reasonNames: Readonly<Record<string, string>> = texts.reasons

/** Counts the people who were enrolled, and others by the reason why they were not. */
export function EnrollResult({ cadenceId }: { cadenceId: string }) {
  const { locale } = useMe()
  const result = useStore(enrollResults)[cadenceId]
  if (!result) return null
  const format = (count: number) => formatNumber(count, locale)
  const { enrolled, skipped, hasFlow } = result
  const reasons = Object.entries(skipped).toSorted(([, one], [, other]) => other - one)
  const sum = reasons.reduce((total, [, count]) => total + count, 0)
  const list = new Intl.ListFormat(textLanguage(), { type: 'conjunction' }).format(
    reasons.map(([reason, count]) => texts.reason(format(count), reasonNames[reason] ?? reason)),
  )
  return (
    <div className={styles.banner} role="status">
      <Info size={16} />
      <p>
        {enrolled !== null && (
          <b>
            {texts.result(enrolled, format(enrolled))}
            {sum > 0 ? `, ${texts.skipped(format(sum))} ` : '. '}
          </b>
        )}
        {sum > 0 && `${list}. `}
        {hasFlow && texts.flow}
      </p>
      <IconButton
        label={texts.dismiss}
        size="small"
        icon={<X size={15} />}
        onClick={() => noteEnrolled(cadenceId, undefined)}
      />
    </div>
  )
}
