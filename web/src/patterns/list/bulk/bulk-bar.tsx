import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { listBulkTexts } from '../../../texts/en/list-bulk-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { showRepeatableProblem } from '../../show-problem.ts'
import type { ListSlot } from '../list-page.tsx'
import type { List } from '../use-list.ts'
import styles from './bulk.module.css'
import type { BulkTexts } from './bulk-texts.ts'
import { useRaisedToasts } from './use-raised-toasts.ts'

export type Chosen = ListSlot<{ id: string }>['chosen']

type BulkBarProps = {
  list: Pick<List, 'definition' | 'query' | 'me' | 'pages'>
  chosen: Chosen
  texts: Pick<BulkTexts, 'label' | 'selected'>
  isRunning: boolean
  children: ReactNode
}

export function BulkBar({ list, chosen, texts, isRunning, children }: BulkBarProps) {
  const { definition, query, me, pages } = list
  const bar = useRef<HTMLElement>(null)
  useRaisedToasts(bar)
  const hasMore = pages.total !== null && pages.total > chosen.ids.size
  const countMatching = useMutation({
    mutationFn: async () => {
      const load = definition.load(query)
      return (await load({ limit: 1, count: 'exact' }, new AbortController().signal)).total ?? 0
    },
    onSuccess: chosen.selectMatching,
    onError: (error) => showRepeatableProblem(error, () => countMatching.mutate()),
  })
  return (
    <section ref={bar} className={styles.bar} aria-label={texts.label}>
      <span className={styles.count} role="status">
        {isRunning ? listBulkTexts.working : texts.selected(chosen.count, formatNumber(chosen.count, me.locale))}
      </span>
      {chosen.allMatching === null && chosen.hasAllLoaded && hasMore && (
        <Button size="small" variant="quiet" disabled={countMatching.isPending} onClick={() => countMatching.mutate()}>
          {listBulkTexts.selectMatching}
        </Button>
      )}
      {children}
      <IconButton size="small" label={listBulkTexts.clear} icon={<X size={15} />} onClick={chosen.clear} />
    </section>
  )
}
