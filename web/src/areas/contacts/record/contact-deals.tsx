import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PanelSection } from '../../../patterns/record/record-panel.tsx'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { contactRecordTexts as texts } from '../../../texts/en/contact-record-texts.ts'
import { Badge, type Hue } from '../../../ui/badge.tsx'
import { formatDate, formatMoney } from '../../../ui/format.ts'
import { type ContactDeal, contactDealsQuery } from '../contact-queries.ts'
import styles from './record.module.css'

const kinds: readonly ContactDeal['kind'][] = ['open', 'won', 'lost']
const hues: Readonly<Record<ContactDeal['kind'], Hue>> = { open: 'info', won: 'success', lost: 'neutral' }

/** The deals that the contact takes part in: open ones first, then won and lost ones. */
export function ContactDeals({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useQuery(contactDealsQuery(id))
  return (
    <PanelSection title={texts.deals}>
      {isPending && <Skeleton rows={2} />}
      {error && <ProblemState error={error} part={texts.deals} retry={() => void refetch()} />}
      {data?.length === 0 && <p className={styles.none}>{texts.noDeals}</p>}
      {data && data.length > 0 && (
        <ul className={styles.deals}>
          {kinds.flatMap((kind) =>
            data.filter((deal) => deal.kind === kind).map((deal) => <DealLine key={deal.id} deal={deal} />),
          )}
        </ul>
      )}
    </PanelSection>
  )
}

function DealLine({ deal }: { deal: ContactDeal }) {
  const { locale } = useMe()
  const { id, name, kind, stage_label, amount, close_on, is_overdue } = deal
  return (
    <li>
      <Link to="/deals/$dealId" params={{ dealId: id }} search={{}}>
        {name}
      </Link>
      <span className="number">{amount && formatMoney(amount, locale)}</span>
      <Badge hue={hues[kind]}>{stage_label}</Badge>
      <span className={`number ${is_overdue ? styles.late : ''}`}>{formatDate(close_on, locale)}</span>
    </li>
  )
}
