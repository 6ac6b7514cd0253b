import { Calendar, Flame } from 'lucide-react'
import { useNow } from '../../../patterns/use-now.ts'
import { useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { dayIn } from '../../../ui/format.ts'
import { formatAmount } from '../amounts.ts'
import type { DealSummary } from '../board-moves.ts'
import { daysOver, formatDay } from '../days.ts'
import styles from './deal-card.module.css'

/** The content of a card. The name of its button contains the same words, for screen readers. */
export const DealCard = ({ deal, isHot, locale }: { deal: DealSummary; isHot: boolean; locale: string }) => (
  <>
    <div className={styles.account}>
      {deal.account && <Avatar name={deal.account.name} isCompany />}
      <span className={styles.accountName}>{deal.account?.name}</span>
      {isHot && (
        <span className={styles.hot}>
          <Flame size={12} aria-hidden="true" />
          {dealTexts.hotRoom}
        </span>
      )}
    </div>
    <h3 className={styles.name}>{deal.name}</h3>
    <p className={`number ${deal.amount ? styles.amount : styles.muted}`}>{formatAmount(deal, locale)}</p>
    {deal.next_step && <p className={styles.step}>{deal.next_step}</p>}
    <div className={styles.foot}>
      <CloseDate deal={deal} locale={locale} />
      <span className={`number ${styles.days}`}>{dealTexts.daysInStage(deal.days_in_stage)}</span>
      <span className={styles.owner} title={deal.owner?.name ?? dealTexts.noOwner}>
        {deal.owner && <Avatar name={deal.owner.name} />}
        <span className="visually-hidden">{deal.owner?.name ?? dealTexts.noOwner}</span>
      </span>
    </div>
  </>
)

function CloseDate({ deal, locale }: { deal: DealSummary; locale: string }) {
  const over = daysOver(deal, dayIn(useMe().tenant.general.timezone, useNow()))
  return (
    <span className={`number ${styles.date} ${over > 0 ? styles.late : ''}`} title={formatDay(deal.close_on, locale)}>
      <Calendar size={13} aria-hidden="true" />
      <span className="visually-hidden">{over > 0 ? dealTexts.overdue : dealTexts.closes}</span>
      {over > 0 ? dealTexts.over(over) : formatDay(deal.close_on, locale)}
    </span>
  )
}
