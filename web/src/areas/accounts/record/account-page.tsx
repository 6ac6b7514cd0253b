import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { restoreAccount } from '../../../api/access.gen.ts'
import { BackLink } from '../../../patterns/record/back-link.tsx'
import { GoneRecord } from '../../../patterns/record/gone-record.tsx'
import { NoPermissionPage, Skeleton } from '../../../patterns/states.tsx'
import { usePageTitle } from '../../../patterns/use-page-title.ts'
import { useCommands } from '../../../session/commands.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { can, may, useMe } from '../../../session/me.ts'
import { accountListTexts } from '../../../texts/en/account-list-texts.ts'
import { accountTexts as texts } from '../../../texts/en/account-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { accountQuery } from '../account-queries.ts'
import styles from './account.module.css'
import { AccountRecord } from './account-record.tsx'
import { restoreDeletedAccount } from './delete-account.ts'

export function AccountPage() {
  const me = useMe()
  return can(me, 'accounts.read') ? (
    <OpenAccount />
  ) : (
    <NoPermissionPage area={accountListTexts.area} scope="accounts.read" />
  )
}

function OpenAccount() {
  const me = useMe()
  const { accountId = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(accountQuery(accountId))
  const list = searchOfList('/accounts', location.pathname)
  const leave = () => void navigate({ to: '/accounts', search: list as never })
  useCommands([
    {
      id: 'list:close',
      label: recordTexts.close,
      group: accountListTexts.title,
      keys: ['Escape'],
      isListed: false,
      run: leave,
    },
  ])
  usePageTitle(data?.name ?? accountListTexts.title)
  if (data) return <AccountRecord key={accountId} account={data} list={list} leave={leave} />
  return (
    <>
      <div className={styles.bar}>
        <BackLink to="/accounts" search={list} label={accountListTexts.title} />
      </div>
      <h1 className="visually-hidden">{accountListTexts.title}</h1>
      {error ? (
        <GoneRecord
          texts={texts.gone}
          error={error}
          retry={() => void refetch()}
          restore={may(me, restoreAccount) ? () => restoreDeletedAccount(accountId) : undefined}
        />
      ) : (
        <Skeleton rows={10} />
      )}
    </>
  )
}
