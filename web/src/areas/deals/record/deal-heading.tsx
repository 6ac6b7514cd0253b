import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pipelinesQuery } from '../../../patterns/shared-queries.ts'
import { can, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { formatAmount } from '../amounts.ts'
import type { Deal } from '../deal-queries.ts'
import styles from './deal-record.module.css'
import { StageSteps } from './stage-steps.tsx'

type HeadingProps = {
  deal: Deal
  isPage: boolean
  move: (toKey: string) => void
  /** Left out if the user must not reopen the deal. */
  reopen?: () => void
}

export function DealHeading({ deal, isPage, move, reopen }: HeadingProps) {
  const me = useMe()
  const canWrite = can(me, 'opportunities.write')
  const stages = useQuery(pipelinesQuery).data?.find(({ id }) => id === deal.pipeline_id)?.stages ?? []
  const Title = isPage ? 'h1' : 'h2'
  const closeButton = (kind: 'won' | 'lost', text: string) => {
    const stage = stages.find((one) => one.kind === kind)
    return stage && <Button onClick={() => move(stage.key)}>{text}</Button>
  }
  return (
    <div className={styles.heading}>
      <div className={styles.title}>
        {deal.account && <Avatar name={deal.account.name} isCompany size="large" />}
        <div>
          <Title>{deal.name}</Title>
          {isPage && <h2 className="visually-hidden">{dealTexts.details}</h2>}
          {deal.account && (
            <Link
              to="/accounts/$accountId"
              params={{ accountId: deal.account.id }}
              search={{}}
              className={styles.account}
            >
              {deal.account.name}
            </Link>
          )}
        </div>
        <p className={`number ${styles.amount}`}>{formatAmount(deal, me.locale)}</p>
      </div>
      {deal.kind === 'open' ? (
        <>
          <StageSteps stages={stages} currentKey={deal.stage_key} move={canWrite ? move : undefined} />
          {canWrite && (
            <div className={styles.buttons}>
              {closeButton('won', dealTexts.win.submit)}
              {closeButton('lost', dealTexts.lose.submit)}
            </div>
          )}
        </>
      ) : (
        <div className={styles.closed}>
          <Badge hue={deal.kind === 'won' ? 'success' : 'neutral'}>{deal.stage_label}</Badge>
          <span className={styles.muted}>
            {deal.closed_at && formatDate(deal.closed_at, me.locale)}
            {deal.lost_reason && ` · ${dealTexts.lostReasons[deal.lost_reason]}`}
            {deal.lost_detail && `: ${deal.lost_detail}`}
          </span>
          {reopen && <Button onClick={reopen}>{dealTexts.reopen.submit}</Button>}
        </div>
      )}
    </div>
  )
}
