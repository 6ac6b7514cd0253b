import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { appendToStage, type BoardStage, type DealBoard } from '../board-moves.ts'
import type { BoardFilter } from '../deal-queries.ts'

const pageSize = 20

/** Reads the board, and further pages of its stages when the user asks for them. Pages that are shown are also refreshed. */
export function useBoard(filter: BoardFilter) {
  const queries = useQueryClient()
  const key = areaKeys.deals.board(filter)
  const pages = useRef({ name: '', byStage: new Map<string, number>() })
  const name = JSON.stringify(filter)
  if (pages.current.name !== name) pages.current = { name, byStage: new Map() }
  const { byStage } = pages.current

  const board = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => loadBoard(filter, byStage, signal),
    placeholderData: keepPreviousData,
  })
  const showMore = useMutation({
    mutationFn: (stage: BoardStage) => loadPage(filter, board.data!, stage),
    onSuccess: (page, { key: stageKey }) => {
      byStage.set(stageKey, (byStage.get(stageKey) ?? 0) + 1)
      queries.setQueryData<DealBoard>(key, (shown) => shown && appendToStage(shown, stageKey, page))
    },
    onError: (error, stage) => showRepeatableProblem(error, () => showMore.mutate(stage)),
  })
  return { board, showMore }
}

async function loadBoard(
  filter: BoardFilter,
  pagesByStage: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<DealBoard> {
  const query = {
    pipeline_id: filter.pipelineId,
    owner_id: filter.ownerId,
    search: filter.search,
    limit: pageSize,
  }
  let board = await read(api.GET('/api/opportunities/board', { params: { query }, signal }))
  for (const [key, count] of pagesByStage)
    for (let page = 0; page < count; page++) {
      const stage = board.stages.find((one) => one.key === key)
      if (!stage?.next_cursor) break
      board = appendToStage(board, key, await loadPage(filter, board, stage, signal))
    }
  return board
}

const loadPage = (filter: BoardFilter, board: DealBoard, { key, next_cursor }: BoardStage, signal?: AbortSignal) =>
  read(
    api.GET('/api/opportunities/', {
      params: {
        query: {
          pipeline_id: board.pipeline.id,
          owner_id: filter.ownerId,
          search: filter.search,
          stage_key: [key],
          kind: ['open'],
          sort: '-amount',
          fields: 'summary',
          limit: 50,
          cursor: next_cursor ?? undefined,
          count: 'none',
        },
      },
      signal,
    }),
  )
