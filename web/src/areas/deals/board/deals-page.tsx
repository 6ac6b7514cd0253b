import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { focusCard } from '../../../patterns/board/card-focus.ts'
import { PageHeader } from '../../../patterns/page-header.tsx'
import { renderFailedPanel } from '../../../patterns/record/failed-panel.tsx'
import { NoPermissionState } from '../../../patterns/states.tsx'
import { useNarrow } from '../../../patterns/use-narrow.ts'
import { useCommands } from '../../../session/commands.ts'
import { can, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import type { DealAction } from '../deal-actions.ts'
import type { DealSearch } from '../deal-search.ts'
import { BoardPart } from './board-part.tsx'
import { OwnerMenu, PipelineMenu } from './deal-menus.tsx'
import styles from './deals.module.css'
import { ForecastBand } from './forecast-band.tsx'
import { useBoard } from './use-board.ts'
import { useDealOwner } from './use-deal-owner.ts'

const NewDealDialog = lazyPart(() => import('../forms/new-deal-dialog.tsx'), 'NewDealDialog')
const ClosedDeals = lazyPart(() => import('./closed-deals.tsx'), 'ClosedDeals', { renderFailure: renderFailedPanel })
const DealPanel = lazyPart(() => import('../record/deal-panel.tsx'), 'DealPanel', {
  renderFailure: renderFailedPanel,
})

const route = getRouteApi('/deals')

export function DealsPage() {
  const me = useMe()
  if (can(me, 'opportunities.read')) return <Deals />
  return (
    <>
      <PageHeader title={dealTexts.title} />
      <NoPermissionState area={dealTexts.area} scope="opportunities.read" />
    </>
  )
}

function Deals() {
  const me = useMe()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const isNarrow = useNarrow()
  const canWrite = can(me, 'opportunities.write')
  const owner = useDealOwner(search.owner)
  const { board, showMore } = useBoard({ pipelineId: search.pipeline, ownerId: owner.id, search: search.q })
  const searchField = useRef<HTMLInputElement>(null)
  const [isCreating, setCreating] = useState(false)
  const change = useCallback(
    (changes: DealSearch, options: { replace?: boolean } = {}) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), ...options }),
    [navigate],
  )
  const [started, setStarted] = useState<DealAction>()
  const openDeal = (id: string, isPage: boolean, action?: DealAction) => {
    setStarted(action)
    if (isPage) void navigate({ to: '/deals/$dealId', params: { dealId: id } })
    else change({ open: id }, { replace: new URLSearchParams(location.search).has('open') })
  }
  const closePanel = () => {
    const id = search.open
    change(id ? { open: undefined } : { closed: undefined })
    if (id) requestAnimationFrame(() => focusCard(id))
  }
  const closedStage = board.data?.stages.find(({ key }) => key === search.closed)
  const hasPanel = search.open !== undefined || closedStage !== undefined
  const create = () => setCreating(true)
  useCommands([
    {
      id: 'deals:new',
      label: dealTexts.newDeal,
      group: dealTexts.group,
      keys: ['c'],
      isAvailable: canWrite,
      run: create,
    },
    {
      id: 'deals:close',
      label: dealTexts.closePanel,
      group: dealTexts.group,
      keys: ['Escape'],
      isAvailable: hasPanel,
      isListed: false,
      run: closePanel,
    },
    {
      id: 'deals:search',
      label: dealTexts.search,
      group: dealTexts.group,
      keys: ['/'],
      run: () => searchField.current?.focus(),
    },
  ])
  const filters = (
    <>
      <SearchField
        ref={searchField}
        label={dealTexts.search}
        keys="/"
        value={search.q ?? ''}
        change={(text) => change({ q: text || undefined, open: undefined }, { replace: search.q !== undefined })}
      />
      {board.data && (
        <PipelineMenu
          current={board.data.pipeline}
          choose={(id) => change({ pipeline: id, closed: undefined, open: undefined })}
        />
      )}
      <OwnerMenu owner={owner} choose={(choice) => change({ owner: choice, open: undefined })} />
    </>
  )
  return (
    <div className={`${styles.split} ${hasPanel ? styles.withPanel : ''}`}>
      <div className={styles.main}>
        <PageHeader
          title={dealTexts.title}
          actions={
            <>
              {!isNarrow && filters}
              {canWrite &&
                (isNarrow ? (
                  <IconButton label={dealTexts.newDeal} icon={<Plus size={18} />} variant="primary" onClick={create} />
                ) : (
                  <Button variant="primary" icon={<Plus size={15} />} keys="c" onClick={create}>
                    {dealTexts.newDeal}
                  </Button>
                ))}
            </>
          }
        />
        {isNarrow && <div className={styles.bar}>{filters}</div>}
        <ForecastBand owner={owner} />
        <BoardPart
          board={board}
          showMore={showMore}
          owner={owner}
          search={search.q}
          openId={search.open}
          open={openDeal}
          start={(id, action) => openDeal(id, false, action)}
          create={create}
          change={change}
        />
      </div>
      {search.open && (
        <DealPanel
          key={search.open}
          id={search.open}
          close={closePanel}
          open={openDeal}
          board={board.data}
          start={started}
        />
      )}
      {closedStage && board.data && !search.open && (
        <ClosedDeals
          key={closedStage.key}
          board={board.data}
          stage={closedStage}
          filter={{ ownerId: owner.id, search: search.q }}
          close={closePanel}
        />
      )}
      {isCreating && (
        <NewDealDialog
          pipelineId={board.data?.pipeline.id}
          close={() => setCreating(false)}
          created={(deal) => {
            setCreating(false)
            openDeal(deal.id, false)
          }}
        />
      )}
    </div>
  )
}
