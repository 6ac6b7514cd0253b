import { Columns3, SearchX, UserRoundSearch } from 'lucide-react'
import { isProblem } from '../../../api/problem.ts'
import { BoardSkeleton } from '../../../patterns/board/board-skeleton.tsx'
import { ProblemState, State } from '../../../patterns/states.tsx'
import { can, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { Button } from '../../../ui/button.tsx'
import type { DealAction } from '../deal-actions.ts'
import type { DealSearch } from '../deal-search.ts'
import { DealBoardView } from './deal-board.tsx'
import styles from './deals.module.css'
import type { useBoard } from './use-board.ts'
import type { DealOwner } from './use-deal-owner.ts'

type PartProps = ReturnType<typeof useBoard> & {
  owner: DealOwner
  search: string | undefined
  openId: string | undefined
  open: (id: string, isPage: boolean) => void
  start: (id: string, action: DealAction) => void
  create: () => void
  change: (changes: DealSearch) => void
}

/** The board, or what stands in its place. */
export function BoardPart({ board, showMore, owner, search, openId, open, start, create, change }: PartProps) {
  if (isProblem(board.error) && board.error.errors.some(({ path }) => path === '/pipeline_id'))
    return (
      <State
        icon={<SearchX size={20} />}
        hue="violet"
        title={dealTexts.noPipeline}
        actions={<Button onClick={() => change({ pipeline: undefined })}>{dealTexts.defaultPipeline}</Button>}
      />
    )
  if (board.error && !board.data)
    return <ProblemState error={board.error} part={dealTexts.board} retry={() => void board.refetch()} />
  if (!board.data) return <BoardSkeleton />
  const isEmpty = board.data.stages.every(({ count }) => count === 0)
  if (isEmpty && search) return <NothingFound owner={owner} search={search} change={change} />
  if (isEmpty) return <EmptyBoard owner={owner} pipeline={board.data.pipeline.name} create={create} change={change} />
  return (
    <DealBoardView
      board={board.data}
      isRefreshing={board.isPlaceholderData}
      showMore={showMore}
      hasHotRooms={owner.choice === 'me'}
      openId={openId}
      open={open}
      start={start}
      showClosed={(key) => change({ closed: key, open: undefined })}
    />
  )
}

const NothingFound = ({ owner, search, change }: { search: string } & Pick<PartProps, 'owner' | 'change'>) => (
  <div className={styles.state}>
    <State
      icon={<SearchX size={20} />}
      hue="neutral"
      title={dealTexts.nothingFound(search)}
      actions={
        <>
          <Button onClick={() => change({ q: undefined })}>{dealTexts.clearSearch}</Button>
          {owner.choice !== 'all' && <Button onClick={() => change({ owner: 'all' })}>{dealTexts.showAll}</Button>}
        </>
      }
    />
  </div>
)

function EmptyBoard({
  owner,
  pipeline,
  create,
  change,
}: { pipeline: string } & Pick<PartProps, 'owner' | 'create' | 'change'>) {
  const canWrite = can(useMe(), 'opportunities.write')
  const isAll = owner.choice === 'all'
  const newDeal = canWrite && (
    <Button variant="primary" keys="c" onClick={create}>
      {isAll ? dealTexts.createFirst : dealTexts.newDeal}
    </Button>
  )
  return (
    <div className={styles.state}>
      {isAll ? (
        <State icon={<Columns3 size={20} />} hue="info" title={dealTexts.emptyNew} actions={newDeal}>
          {dealTexts.emptyNewText}
        </State>
      ) : (
        <State
          icon={<UserRoundSearch size={20} />}
          hue="neutral"
          title={owner.choice === 'me' ? dealTexts.emptyMine : dealTexts.emptyOwner(owner.name ?? dealTexts.thisPerson)}
          actions={
            <>
              {owner.choice === 'me' && newDeal}
              <Button onClick={() => change({ owner: 'all' })}>{dealTexts.showAll}</Button>
            </>
          }
        >
          {dealTexts.emptyOwnerText(pipeline)}
        </State>
      )}
    </div>
  )
}
