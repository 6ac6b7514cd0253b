import { useNavigate } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { createAccount, createAccountExport } from '../../../api/access.gen.ts'
import { unknown } from '../../../charts/chart-model.ts'
import { RowCard } from '../../../patterns/list/cells.tsx'
import { EmptyList, type EmptySlot } from '../../../patterns/list/empty-list.tsx'
import type { ListDefinition } from '../../../patterns/list/list-definition.ts'
import { ListPage } from '../../../patterns/list/list-page.tsx'
import { useList } from '../../../patterns/list/use-list.ts'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { can, may, useMe } from '../../../session/me.ts'
import { accountListTexts as texts } from '../../../texts/en/account-list-texts.ts'
import { formatMoney } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { accountSource } from '../account-list.ts'
import type { ListedAccount } from '../account-queries.ts'
import { type AccountQuery, toListFilters } from '../list-query.ts'
import { TypeBadge } from '../type-badge.tsx'
import { accountColumns, standardColumns } from './account-columns.tsx'
import { accountFilters } from './account-filters.tsx'

const CreateDialog = lazyPart(() => import('../create/create-dialog.tsx'), 'CreateDialog')
const ListFiles = lazyPart(() => import('../../../patterns/export/list-files.tsx'), 'ListFiles')

const accountList: ListDefinition<ListedAccount, AccountQuery> = {
  ...accountSource,
  name: 'accounts',
  texts,
  filters: accountFilters,
  columns: accountColumns,
  standardColumns,
  nameOf: ({ name }) => name,
}

export function AccountsPage() {
  const me = useMe()
  return can(me, 'accounts.read') ? <AccountListPage /> : <NoPermissionPage area={texts.area} scope="accounts.read" />
}

function AccountListPage() {
  const list = useList(accountList)
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const open = ({ id }: { id: string }) =>
    void navigate({ to: '/accounts/$accountId', params: { accountId: id }, search: {} })
  return (
    <>
      <ListPage
        list={list}
        create={may(list.me, createAccount) ? () => setCreating(true) : undefined}
        actions={
          may(list.me, createAccountExport) && (
            <ListFiles
              type="accounts"
              list={list}
              filters={{ query: toListFilters(list.filters) }}
              canImport={false}
              canExport
            />
          )
        }
        openRow={open}
        openPage={open}
        renderCard={(account) => <AccountCard account={account} />}
        renderEmpty={(slot) => <EmptyAccounts {...slot} />}
      />
      {isCreating && <CreateDialog open={(id) => open({ id })} close={() => setCreating(false)} />}
    </>
  )
}

function AccountCard({ account: { name, domain, type, stats } }: { account: ListedAccount }) {
  const { locale } = useMe()
  const count = stats?.open_opportunities ?? 0
  return (
    <RowCard
      name={name}
      isCompany
      figure={stats && count > 0 ? formatMoney(stats.open_amount, locale) : unknown}
      detail={[count > 0 && texts.openDeals(count), domain].filter(Boolean).join(', ')}
      status={<TypeBadge type={type} />}
    />
  )
}

const { empty } = texts
const showAll = { all: empty.showAll }

const EmptyAccounts = (slot: EmptySlot) => (
  <EmptyList
    {...slot}
    icon={<Building2 size={20} />}
    views={{
      all: { title: empty.title, text: slot.create ? empty.text : empty.textReadOnly, mayCreate: true },
      mine: { title: empty.mineTitle, text: empty.mineText, links: showAll },
      customers: { title: empty.customersTitle, text: empty.customersText, links: showAll },
      prospects: { title: empty.prospectsTitle, text: empty.prospectsText, links: showAll, mayCreate: true },
    }}
    noMatch={{ title: empty.filteredTitle, text: empty.filteredText }}
  />
)
