import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { unknown } from '../../../charts/chart-model.ts'
import itemStyles from '../../../patterns/record/record-items.module.css'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { accountTexts } from '../../../texts/en/account-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatMoney } from '../../../ui/format.ts'
import { type Account, accountQuery, type ListedAccount } from '../account-queries.ts'
import styles from './group.module.css'
import { subsidiariesQuery } from './related-queries.ts'

const texts = accountTexts.group

/** The parent account with its subsidiaries, of which this account is one, and those of this account. */
export function GroupPart({ account, choose }: { account: Account; choose: (() => void) | undefined }) {
  const { id, parent } = account
  const above = useQuery({ ...accountQuery(parent?.id ?? id), enabled: parent !== null })
  const beside = useQuery({ ...subsidiariesQuery(parent?.id ?? id), enabled: parent !== null })
  const below = useQuery(subsidiariesQuery(id))
  const queries = parent ? [above, beside, below] : [below]
  const failed = queries.find(({ error, data }) => error && data === undefined)
  if (failed) return <ProblemState error={failed.error} part={texts.part} retry={() => void failed.refetch()} />
  if (queries.some(({ data }) => data === undefined)) return <Skeleton rows={4} />
  const own = below.data ?? []
  const others = (parent && beside.data?.filter((one) => one.id !== id)) || []
  const level = parent ? 1 : 0
  return (
    <>
      {!parent && own.length === 0 ? (
        <p className={itemStyles.none}>{texts.none}</p>
      ) : (
        <ul className={styles.group}>
          {parent && above.data && <Row account={above.data} level={0} />}
          <Row account={account} level={level} isOwn />
          {own.map((one) => (
            <Row key={one.id} account={one} level={level + 1} />
          ))}
          {others.map((one) => (
            <Row key={one.id} account={one} level={level} />
          ))}
        </ul>
      )}
      {choose && (
        <Button size="small" className={styles.choose} onClick={choose}>
          {parent ? texts.change : texts.choose}
        </Button>
      )}
    </>
  )
}

type RowProps = { account: Pick<ListedAccount, 'id' | 'name' | 'stats'>; level: number; isOwn?: boolean }

function Row({ account: { id, name, stats }, level, isOwn }: RowProps) {
  const { locale } = useMe()
  const content = (
    <>
      <Avatar name={name} isCompany />
      <b>{name}</b>
    </>
  )
  return (
    <li className={`${styles.row} ${styles[`level${level}`] ?? ''} ${isOwn ? styles.own : ''}`}>
      {isOwn ? (
        <span className={styles.name} aria-current="page">
          {content}
        </span>
      ) : (
        <Link
          to="/accounts/$accountId"
          params={{ accountId: id }}
          search={{ tab: 'group' } as never}
          className={styles.name}
        >
          {content}
        </Link>
      )}
      <span className={styles.amount}>
        {stats && stats.open_opportunities > 0 ? formatMoney(stats.open_amount, locale) : unknown}
      </span>
    </li>
  )
}
