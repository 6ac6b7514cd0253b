import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
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
import type { DealAction } from '../deal-actions.ts'
import type { DealSearch } from '../deal-search.ts'
import { BoardPart } from './board-part.tsx'
import { OwnerMenu, PipelineMenu } from './deal-menus.tsx'
import styles from './deals.module.css'
import { ForecastBand } from './forecast-band.tsx'
import { useBoard } from './use-board.ts'
import { useDealOwner } from './use-deal-owner.ts'

const NewDealDialog = lazyPart(() => import('../forms/new-deal-dialog.tsx'), 'NewDealDialog')
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
  const { board, showMore } = useBoard({ pipelineId: search.pipeline, ownerId: owner.id })
  const [isCreating, setCreating] = useState(false)
  const change = useCallback(
    (changes: DealSearch) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: 'open' in changes }),
    [navigate],
  )
  const [started, setStarted] = useState<DealAction>()
  const openDeal = (id: string, isPage: boolean, action?: DealAction) => {
    setStarted(action)
    return isPage ? void navigate({ to: '/deals/$dealId', params: { dealId: id } }) : change({ open: id })
  }
  const closePanel = () => {
    const id = search.open
    change({ open: undefined })
    if (id) requestAnimationFrame(() => focusCard(id))
  }
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
      isAvailable: search.open !== undefined,
      isListed: false,
      run: closePanel,
    },
  ])
  const menus = (
    <>
      {board.data && (
        <PipelineMenu current={board.data.pipeline} choose={(id) => change({ pipeline: id, open: undefined })} />
      )}
      <OwnerMenu owner={owner} choose={(choice) => change({ owner: choice, open: undefined })} />
    </>
  )
  return (
    <div className={`${styles.split} ${search.open ? styles.withPanel : ''}`}>
      <div className={styles.main}>
        <PageHeader
          title={dealTexts.title}
          actions={
            <>
              {!isNarrow && menus}
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
        {isNarrow && <div className={styles.bar}>{menus}</div>}
        <ForecastBand owner={owner} />
        <BoardPart
          board={board}
          showMore={showMore}
          owner={owner}
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
